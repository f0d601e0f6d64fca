//! Which look settles which unknown.

use super::super::Action;
use super::{CLAUDE, call, classifier, command};

fn observes(look: &Action, done: &Action) -> bool {
    super::super::observes(look.class, &look.sees, done.world.as_deref(), done.target.as_deref())
}

#[test]
fn a_look_covers_what_was_done() {
    let mut classifier = classifier();
    for (look, done, covers) in [
        ("git status", "git commit -m x", true),
        ("git log -1", "git push origin main", true),
        ("git ls-remote origin", "git push origin main", true),
        ("git diff", "sed -i s/a/b/ src/a.rs", true),
        ("cat src/a.rs", "sed -i s/a/b/ src/a.rs", true),
        ("cat /work/src/a.rs", "sed -i s/a/b/ src/a.rs", true),
        ("cat src/a.rs", "sed -i s/a/b/ /work/src/a.rs", true),
        ("cat src/b.rs", "sed -i s/a/b/ src/a.rs", false),
        ("cat a.rs", "sed -i s/a/b/ src/data.rs", false),
        ("ls src", "rm src/a.rs", true),
        ("ls", "rm a.rs", true),
        ("ls docs", "rm src/a.rs", false),
        ("stat a b", "touch a b", true),
        ("stat a", "touch a b", false),
        ("sort | uniq", "touch a", false),
        ("cd /w && cat a.txt", "cd /w && touch a.txt", true),
        ("gh pr view 12 --comments", "gh pr comment 12 -b x", true),
        ("gh pr view 13", "gh pr comment 12 -b x", false),
        ("gh pr list", "gh pr create -t x -b y", true),
        ("gh api repos/o/r/pulls/12/comments", "gh pr comment 12 -b x", true),
        ("psql -c 'select * from orders'", "psql -c 'insert into orders values (1)'", true),
        ("psql -c 'select * from items'", "psql -c 'insert into orders values (1)'", false),
        ("kubectl get pods", "kubectl delete pod web", true),
        ("kubectl get nodes", "kubectl delete pod web", false),
        ("kubectl get deploy", "kubectl apply -f deploy.yaml", true),
        ("curl https://example.org/x/1", "curl -X PUT https://example.org/x/1 -d a", true),
        ("curl https://example.org/y", "curl -X PUT https://example.org/x/1 -d a", false),
        ("docker ps", "docker run -d --name db postgres", true),
        ("ps aux", "kill 4711", true),
        ("git status", "gh pr comment 12 -b x", false),
        ("npm test", "touch a", false),
        ("git --version", "git commit -m x", false),
        ("git push --help", "git push", false),
        // What changes something is no look.
        ("git commit -m y", "git push", false),
        ("rm a", "touch a", false),
    ] {
        let (look_at, was_done) = (command(&mut classifier, look), command(&mut classifier, done));
        assert_eq!(observes(&look_at, &was_done), covers, "{look} / {done}: {:?} {:?}", look_at.sees, was_done.target);
    }
}

#[test]
fn a_tool_looks_like_a_command() {
    let mut classifier = classifier();
    let read = classifier.classify(CLAUDE, &call("Read", r#"{"file_path":"/w/src/a.rs"}"#));
    let edit = classifier.classify(CLAUDE, &call("Edit", r#"{"file_path":"/w/src/a.rs","old_string":"a","new_string":"b"}"#));
    let glob = classifier.classify(CLAUDE, &call("Glob", r#"{"pattern":"*.rs","path":"/w/src"}"#));
    let other = classifier.classify(CLAUDE, &call("Read", r#"{"file_path":"/w/src/b.rs"}"#));
    assert!(observes(&read, &edit) && observes(&glob, &edit) && !observes(&other, &edit) && !observes(&edit, &edit));
    assert!(observes(&read, &command(&mut classifier, "cd /w && touch src/a.rs")));
}

#[test]
fn a_suggestion_says_what_to_look_with() {
    let mut classifier = classifier();
    for (done, look) in [
        ("git commit -m x", Some("git log -1")),
        ("git push", Some("git ls-remote")),
        ("git add a", Some("git status")),
        ("rm a.txt", Some("ls a.txt")),
        ("echo x > a.txt", Some("read a.txt")),
        ("gh pr comment 12 -b x", Some("gh pr view 12 --comments")),
        ("terraform apply", Some("terraform plan")),
        ("docker compose up -d", Some("docker compose ps")),
        ("psql -c 'insert into orders values (1)'", Some("psql -c 'select ... from orders'")),
        ("alembic upgrade head", Some("alembic current")),
        ("kill", Some("ps")),
        ("./unknown.sh", None),
        ("git status", None),
    ] {
        assert_eq!(command(&mut classifier, done).reconcile_with.as_deref(), look, "{done}");
    }
}
