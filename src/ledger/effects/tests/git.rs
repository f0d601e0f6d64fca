//! Version control and its forges.

use super::check;

#[test]
fn git_looks_and_changes() {
    check(&[
        ("git status", "read [git status]"),
        ("git status --short", "read [git status]"),
        ("git log --oneline -10 -- src/a.rs", "read [git log]"),
        ("git diff --cached", "read [git diff]"),
        ("git show HEAD:src/a.rs", "read [git show]"),
        ("git blame src/a.rs", "read [git blame]"),
        ("git rev-parse --abbrev-ref HEAD", "read [git rev-parse]"),
        ("git fetch origin main", "read [git fetch]"),
        ("git branch", "read [git branch]"),
        ("git branch -a", "read [git branch]"),
        ("git branch --list 'fix/*'", "read [git branch]"),
        ("git branch --contains abc123", "read [git branch]"),
        ("git branch topic", "write safe [git branch topic] topic"),
        ("git branch -D topic", "write safe [git branch topic] topic"),
        ("git tag", "read [git tag]"),
        ("git tag -l 'v*'", "read [git tag]"),
        ("git tag v1.2.0 -m 'release 1.2.0'", "write safe [git tag v1.2.0] v1.2.0"),
        ("git remote -v", "read [git remote]"),
        ("git remote add up https://example.org/a.git", "write safe [git remote add up] up"),
        ("git config user.email a@example.org", "write safe [git config user.email]"),
        ("git config --get user.email", "read [git config user.email]"),
        ("git add -A", "write safe [git add]"),
        ("git add src/a.rs src/b.rs", "write safe [git add src/a.rs src/b.rs] src/a.rs src/b.rs"),
        ("git commit -m 'one line'", "create safe [git commit]"),
        ("git commit --amend --no-edit", "create safe [git commit]"),
        ("git commit --dry-run", "read [git commit]"),
        ("git checkout main", "write safe [git checkout main] main"),
        ("git checkout -b topic origin/main", "write safe [git checkout topic] topic"),
        ("git checkout -- src/a.rs", "write safe [git checkout src/a.rs] src/a.rs"),
        ("git switch -c topic", "write safe [git switch topic] topic"),
        ("git restore src/a.rs", "write safe [git restore src/a.rs] src/a.rs"),
        ("git stash", "write safe [git stash]"),
        ("git stash list", "read [git stash list]"),
        ("git stash pop", "write harm [git stash pop]"),
        ("git merge origin/main --no-edit", "write safe [git merge origin/main] origin/main"),
        ("git rebase origin/main", "write unknown [git rebase origin/main] origin/main"),
        ("git cherry-pick 08b3ac4", "create harm [git cherry-pick 08b3ac4] 08b3ac4"),
        ("git reset --hard HEAD~1", "write unknown [git reset HEAD~1] HEAD~1"),
        ("git pull --rebase", "write safe [git pull]"),
        ("git clean -fdx", "write safe [git clean]"),
        ("git clean -n", "read [git clean]"),
        ("git apply --check fix.patch", "check [git apply fix.patch]"),
        ("git worktree add ../wt topic", "write safe [git worktree add ../wt] ../wt"),
        ("git gc", "check [git gc]"),
        ("git frobnicate x", "execute? unknown [git frobnicate]"),
    ]);
}

#[test]
fn a_push_leaves_the_machine_and_may_be_done_again() {
    check(&[
        ("git push", "external safe [git push]"),
        ("git push origin main", "external safe [git push origin main] origin main"),
        ("git push -u origin HEAD 2>&1 | tail -5", "external safe [git push origin HEAD] origin HEAD"),
        ("git push --force-with-lease origin topic", "external safe [git push origin topic] origin topic"),
        ("git push --dry-run origin main", "read [git push origin main] origin main"),
        ("git -C /work/app push origin main", "external safe [git push origin main] origin main"),
        ("git -c user.name=x commit -m y && git push", "external safe [git push]"),
        ("/usr/bin/git push", "external safe [git push]"),
    ]);
}

#[test]
fn a_forge_is_outside() {
    check(&[
        ("gh pr view 12 --comments", "read [gh pr view 12] 12"),
        ("gh pr list --state open -L 30", "read [gh pr list]"),
        ("gh pr checks 12", "read [gh pr checks 12] 12"),
        ("gh pr comment 12 --body 'looks good'", "external harm [gh pr comment 12] 12"),
        ("gh pr create --title 'a title' --body-file body.md", "external harm [gh pr create]"),
        ("gh pr edit 12 --add-label bug", "external safe [gh pr edit 12] 12"),
        ("gh pr merge 12 --squash", "external safe [gh pr merge 12] 12"),
        ("gh -R owner/repo issue comment 7 -b hello", "external harm [gh issue comment 7] 7"),
        ("gh issue view 7 --json title", "read [gh issue view 7] 7"),
        ("gh run list --limit 5", "read [gh run list]"),
        ("gh run rerun 99", "external harm [gh run rerun 99] 99"),
        ("gh workflow run ci.yml -f dry=1", "external harm [gh workflow run ci.yml] ci.yml"),
        ("gh release create v1 --notes x", "external safe [gh release create v1] v1"),
        ("gh auth status", "read [gh auth status]"),
        ("gh api repos/o/r/pulls/12/comments --jq '.[]'", "read [gh api repos/o/r/pulls/12/comments] repos/o/r/pulls/12/comments"),
        (
            "gh api repos/o/r/issues/1/comments -f body=hi",
            "external harm [gh api POST repos/o/r/issues/1/comments] repos/o/r/issues/1/comments",
        ),
        (
            "gh api -X DELETE repos/o/r/git/refs/heads/x",
            "external safe [gh api DELETE repos/o/r/git/refs/heads/x] repos/o/r/git/refs/heads/x",
        ),
        ("gh api graphql -f query='{ viewer { login } }'", "read [gh api graphql] graphql"),
        (
            "gh api graphql -f query='mutation { t1: resolveReviewThread(input: {threadId: \"a\"}) { thread { isResolved } } }'",
            "external safe [gh api POST graphql] graphql",
        ),
        ("gh api graphql -f query='mutation { frob(input: {}) { id } }'", "external harm [gh api POST graphql] graphql"),
        ("gh api graphql -f query='mutation { addStar(input: {}) { id } }'", "external harm [gh api POST graphql] graphql"),
        ("glab mr note 3 -m done", "external harm [glab mr note 3] 3"),
        ("glab mr view 3", "read [glab mr view 3] 3"),
    ]);
}
