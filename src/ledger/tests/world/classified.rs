//! How calls are classified, as it shows in the ledger.

use super::{owed, session};

#[test]
fn a_flags_value_is_no_sub_command() {
    let lane =
        session("sh a exit1 uv run gauge --database gauge_copy reimport\nsh b exit1 uv run gauge --database gauge_other reimport");
    assert_eq!(owed(&lane), ["effect repair", "retry repair"], "one intent");
    assert_eq!(&*lane.calls.get(0).unwrap().intent, "gauge reimport");
}

#[test]
fn a_program_in_another_language_is_known_by_what_it_calls() {
    let lane = session("sh a timeout python3 -c \"import requests; requests.post('https://api.example.org/pay')\"");
    assert_eq!(owed(&lane), ["effect barrier"]);
    assert_eq!(lane.calls.get(0).unwrap().class.word(), "external");
    for (program, class) in [
        ("python3 -c \"print(1)\"", "read"),
        ("python3 -c \"import yaml; yaml.safe_load(open('a.yml')); print('ok')\"", "read"),
        ("ruby -ryaml -e \"YAML.safe_load(File.read('a.yml')); puts 'ok'\"", "read"),
        ("node -e \"console.log(require('./package.json').version)\"", "read"),
        ("curl -s http://localhost:4040/api | python3 -c \"import sys, json; print(json.load(sys.stdin)['url'])\"", "read"),
        ("python3 -c \"import json; d = json.load(open('a', encoding='utf8')); print(d.get('x', '').replace('a', 'b'))\"", "read"),
        ("python3 -c \"import json; json.load(open('/w/sync-fork/remove.json'))\"", "read"),
        (
            "python3 - <<'PY'\\nimport json\\nfrom pathlib import Path\\nprint(len(json.loads(Path('a.json').read_text())))\\nPY",
            "read",
        ),
        ("python3 <<'PY'\\nimport os\\nprint(os.listdir('.'))\\nPY", "read"),
        // Unsure is never clear.
        ("python3 - <<'PY'\\nimport shutil\\nshutil.rmtree('build')\\nPY", "execute"),
        ("python3 -c \"import os; print(f'{os.remove(1)}')\"", "execute"),
        ("ruby -e 'puts \"#{system(1)}\"'", "execute"),
        ("python3 -c \"import deploy; deploy.run()\"", "execute"),
        ("python3 -c \"open('a', 'w')\"", "execute"),
        ("python3 -c \"open('a', mode=m)\"", "execute"),
        ("python3 -c \"from pathlib import Path; Path('a').replace('b')\"", "execute"),
        ("python3 -c \"import os; os.remove('a')\"", "execute"),
        ("node -e \"require('./build')\"", "execute"),
        ("ruby -e 'system(ARGV[0])'", "execute"),
    ] {
        let lane = session(&format!("sh a exit1 {program}\nsh b exit1 {program}"));
        assert_eq!(lane.calls.get(0).unwrap().class.word(), class, "{program}");
        assert_eq!(owed(&lane).is_empty(), class == "read", "{program}: {:?}", owed(&lane));
    }
}

#[test]
fn a_formatter_that_fails_leaves_nothing_to_wonder_about() {
    assert_eq!(owed(&session("sh a exit1 npm run lint:fix => 3 problems")), Vec::<String>::new());
    assert_eq!(owed(&session("sh a exit1 mise run fmt && mise run test => FAIL")), Vec::<String>::new());
    assert_eq!(owed(&session("sh a exit1 ./fix.sh => half way")), ["effect repair"], "nobody knows what that does");
    assert_eq!(owed(&session("sh a timeout npm run lint:fix")).len(), 1, "and nobody knows how far one came that was stopped");
}

#[test]
fn a_failure_that_may_have_come_half_way_is_no_failure_to_begin() {
    for (command, result, expected) in [
        ("rm a.txt", "rm: cannot remove 'a.txt': No such file or directory", false),
        ("rm a.txt b.txt", "rm: cannot remove 'b.txt': No such file or directory", true),
        ("cp a b dir", "cp: cannot stat 'b': No such file or directory", true),
        ("cp -r src dst", "cp: cannot open 'src/x': Permission denied", true),
        ("rsync -a src/ dst/", "rsync: [sender] opendir failed: Permission denied", true),
        ("kubectl apply -f all.yaml", "Error from server (Forbidden): deployments.apps is forbidden", true),
        ("terraform apply -auto-approve", "Error: creating bucket: BucketAlreadyExists: already exists", true),
        ("psql app -f migrate.sql", "psql:migrate.sql:9: ERROR: relation x does not exist", true),
        ("psql app -c 'insert into a values (1)'", "ERROR: relation a does not exist", false),
        ("gh pr comment 12 --body x", "GraphQL: Could not resolve to a PullRequest ~ HTTP 404: not found", false),
        ("helm upgrade web ./web", "Error: UPGRADE FAILED: services web is forbidden", true),
        ("kubectl apply -f all.yaml", "Unable to connect to the server: no route to host", false),
    ] {
        let lane = session(&format!("sh a exit1 {command} => {result}"));
        assert_eq!(owed(&lane).iter().any(|line| line.starts_with("effect")), expected, "{command}: {:?}", owed(&lane));
    }
}
