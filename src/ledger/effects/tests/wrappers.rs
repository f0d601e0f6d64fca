//! What runs another command.

use super::check;

#[test]
fn a_wrapper_is_what_it_runs() {
    check(&[
        ("sudo rm -rf /opt/x", "write safe [rm /opt/x] /opt/x"),
        ("sudo -u app git push", "external safe [git push]"),
        ("env A=1 B=2 cargo test", "check [cargo test]"),
        ("A=1 B=2 cargo test", "check [cargo test]"),
        ("env", "read [env]"),
        ("timeout 30 cargo test", "check [cargo test]"),
        ("timeout -k 5 30s git push", "external safe [git push]"),
        ("nohup npm run dev &", "execute unknown [npm run dev]"),
        ("time cargo build", "check [cargo build]"),
        ("nice -n 10 make test", "check [make test]"),
        ("xargs rm < list.txt", "write safe [rm]"),
        ("find . -name x | xargs -I{} -n 1 rm {}", "write safe [rm]"),
        ("npx prisma generate", "check [prisma generate]"),
        ("bunx --bun vitest run", "check [vitest run]"),
        ("command -v node", "read [command]"),
        ("command git push", "external safe [git push]"),
        ("exec git push", "external safe [git push]"),
        ("watch -n 5 kubectl get pods", "read [kubectl get pods] pods"),
        ("hyperfine --warmup 3 'cargo build'", "check [cargo build]"),
        ("direnv exec . make test", "check [make test]"),
        ("doppler run -p app -- npm publish", "external safe [npm publish]"),
        ("rtk git status", "read [git status]"),
    ]);
}

#[test]
fn a_script_in_a_script_is_read() {
    check(&[
        ("bash -c 'git push'", "external safe [git push]"),
        ("bash -lc \"cd /w && rm -rf x\"", "write safe [rm x] /w/x"),
        ("sh -euo pipefail -c 'git commit -m x'", "create safe [git commit]"),
        ("sudo bash -c \"echo 1 > /proc/x\"", "write safe [echo > /proc/x] /proc/x"),
        ("bash -c \"bash -c 'bash -c \\\"git push\\\"'\"", "external safe [git push]"),
        ("eval 'git push'", "external safe [git push]"),
        ("bash <<'EOF'\ngit push\nEOF", "external safe [git push]"),
        ("echo 'git push' | bash", "external safe [git push]"),
        ("ssh host 'systemctl restart app'", "write safe [systemctl restart app] app"),
        ("ssh -i key -p 22 user@host uptime", "read [uptime]"),
        ("ssh host sudo rm -rf /x", "write safe [rm /x] /x"),
        ("ssh host <<EOF\nrm -rf /x\nEOF", "write safe [rm /x] /x"),
        ("ssh host", "execute unknown [ssh host]"),
        ("docker exec -u root web bash -lc 'rm -rf /x'", "write safe [rm /x] /x"),
        ("su - app -c 'git push'", "external safe [git push]"),
        ("cmd /c del a.txt", "write safe [del a.txt] a.txt"),
        ("powershell -Command \"Remove-Item a.txt\"", "write? safe [Remove-Item a.txt] a.txt"),
        ("Get-ChildItem -Recurse | Select-String foo", "read? [Get-ChildItem]"),
    ]);
}
