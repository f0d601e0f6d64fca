//! Files and processes of this machine.

use super::check;

#[test]
fn files_are_read() {
    check(&[
        ("cat src/a.rs", "read [cat src/a.rs] src/a.rs"),
        ("head -n 20 a.txt", "read [head a.txt] a.txt"),
        ("tail -20 log.txt", "read [tail log.txt] log.txt"),
        ("ls -la", "read [ls .] ."),
        ("ls -la src/", "read [ls src/] src/"),
        ("grep -rn 'needle' src --include '*.rs'", "read [grep src] src"),
        ("rg -n needle", "read [rg .] ."),
        ("rg --files src", "read [rg src] src"),
        ("find . -name '*.rs' -type f", "read [find .] ."),
        ("find src -name '*.rs' -exec grep -l x {} \\;", "read [grep]"),
        ("sed -n '1,20p' a.txt", "read [sed a.txt] a.txt"),
        ("awk '{print $1}' a.txt", "read [awk a.txt] a.txt"),
        ("jq '.name' package.json", "read [jq package.json] package.json"),
        ("wc -l < a.txt", "read [wc]"),
        ("test -f a.txt", "read [test a.txt] a.txt"),
        ("which node", "read [which]"),
        ("date -u +%Y", "read [date]"),
        ("ps aux | grep node | grep -v grep", "read [ps]"),
        ("du -sh target", "read [du target] target"),
        ("tar -tzf a.tgz", "read [tar a.tgz] a.tgz"),
        ("unzip -l a.zip", "read [unzip a.zip] a.zip"),
        ("crontab -l", "read [crontab]"),
        ("kill -0 4711", "read [kill 4711] 4711"),
        ("echo hello", "control [echo]"),
        ("sleep 5", "control [sleep]"),
    ]);
}

#[test]
fn files_are_changed() {
    check(&[
        ("rm -rf build", "write safe [rm build] build"),
        ("mkdir -p a/b", "write safe [mkdir a/b] a/b"),
        ("touch a b", "write safe [touch a b] a b"),
        ("cp a.txt b.txt", "write safe [cp a.txt b.txt] b.txt"),
        ("mv old.rs new.rs", "write safe [mv old.rs new.rs] new.rs"),
        ("ln -s a b", "write safe [ln a b] b"),
        ("chmod +x run.sh", "write safe [chmod run.sh] run.sh"),
        ("chmod 755 run.sh", "write safe [chmod run.sh] run.sh"),
        ("sed -i 's/a/b/' a.txt", "write safe [sed a.txt] a.txt"),
        ("sed -i.bak -e 's/a/b/' a.txt", "write safe [sed a.txt] a.txt"),
        ("sed -i '' 's/a/b/' a.txt", "write safe [sed a.txt] a.txt"),
        ("perl -pi -e 's/a/b/' a.txt", "write unknown [perl a.txt] a.txt"),
        ("find . -name '*.orig' -delete", "write safe [find .] ."),
        ("find . -name '*.orig' -exec rm {} +", "write safe [rm]"),
        ("tee out.txt", "write safe [tee out.txt] out.txt"),
        ("tee -a out.txt", "create harm [tee out.txt] out.txt"),
        ("tar xzf a.tgz", "write safe [tar xzf a.tgz] a.tgz"),
        ("tar -czf out.tgz src", "write safe [tar out.tgz] out.tgz"),
        ("dd if=/dev/zero of=x bs=1M count=1", "write safe [dd]"),
        ("kill -9 4711", "write safe [kill 4711] 4711"),
        ("lsof -ti :3000 | xargs kill -9", "write safe [kill]"),
        ("patch -p1 < fix.patch", "write harm [patch]"),
        ("rsync -a src/ dst/", "write safe [rsync dst/] dst/"),
        ("rsync -a src/ host:dst/", "external safe [rsync host:dst/] host:dst/"),
        ("rsync -an src/ host:dst/", "read [rsync host:dst/] host:dst/"),
        ("scp a.txt host:", "external safe [scp host:] host:"),
        ("systemctl restart nginx", "write safe [systemctl restart nginx] nginx"),
        ("systemctl status nginx", "read [systemctl status nginx] nginx"),
        ("crontab jobs.txt", "write safe [crontab jobs.txt] jobs.txt"),
    ]);
}

#[test]
fn output_goes_to_files() {
    check(&[
        ("echo hi > out.txt", "write safe [echo > out.txt] out.txt"),
        ("echo hi >> out.txt", "create harm [echo >> out.txt] out.txt"),
        ("echo hi >| out.txt", "write safe [echo > out.txt] out.txt"),
        ("make_it &> out.log", "write? unknown [make_it > out.log] out.log"),
        ("ls > /dev/null 2>&1", "read [ls .] ."),
        ("ls 2>&1", "read [ls .] ."),
        ("ls 2>/dev/null", "read [ls .] ."),
        ("ls 2> err.txt", "write safe [ls > err.txt] err.txt"),
        ("ls >&2", "read [ls .] ."),
        ("> empty.txt", "write safe [> empty.txt] empty.txt"),
        ("cat > notes.md <<'EOF'\nrm -rf /\nEOF", "write safe [cat > notes.md] notes.md"),
        ("cat <<EOF > notes.md\n$(date)\nEOF", "write safe [cat > notes.md] notes.md"),
        ("{ echo a; echo b; } > out.txt", "write safe [echo > out.txt] out.txt"),
        ("for f in *.txt; do cat $f; done > all.txt", "write safe [cat > all.txt] all.txt"),
        // What a check says may be kept where nobody relies on it.
        ("cargo test > /tmp/test.log 2>&1", "check [cargo test]"),
        ("cargo test > test.log 2>&1", "write safe [cargo > test.log] test.log"),
        ("cd /work/app && echo hi > out.txt", "write safe [echo > out.txt] /work/app/out.txt"),
        ("sort -o out.txt in.txt", "write safe [sort > out.txt] out.txt"),
    ]);
}
