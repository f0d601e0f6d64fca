//! Building, testing, installing, publishing.

use super::check;

#[test]
fn build_test_and_lint_are_checks() {
    check(&[
        ("cargo test --lib ledger", "check [cargo test ledger] ledger"),
        ("cargo +nightly fmt --check", "check [cargo fmt]"),
        ("cargo clippy --all-targets -- -D warnings", "check [cargo clippy]"),
        ("cargo build --release", "check [cargo build]"),
        ("go test ./... -run TestX -count=1", "check [go test ./...] ./..."),
        ("golangci-lint run ./...", "check [golangci-lint run]"),
        ("npm test", "check [npm test]"),
        ("npm run build", "check [npm run build]"),
        ("npm run test:unit -- --watch=false", "check [npm run test:unit]"),
        ("pnpm --filter api test -- --run x", "check [pnpm test]"),
        ("pnpm -C web lint", "check [pnpm lint]"),
        ("yarn typecheck", "check [yarn typecheck]"),
        ("bun test src/a.test.ts", "check [bun test src/a.test.ts] src/a.test.ts"),
        ("npx tsc --noEmit", "check [tsc]"),
        ("npx -y eslint@9 src", "check [eslint src] src"),
        ("pytest -k 'not slow' tests/test_a.py", "check [pytest tests/test_a.py] tests/test_a.py"),
        ("python3 -m pytest -q", "check [pytest]"),
        ("python3.12 -m unittest discover", "check [unittest]"),
        ("uv run pytest -q tests", "check [pytest tests] tests"),
        ("uv run --with rich pytest", "check [pytest]"),
        ("poetry run mypy src", "check [mypy]"),
        ("ruff check src", "check [ruff check]"),
        ("ruff format --check", "check [ruff format]"),
        ("prettier --check src", "check [prettier src] src"),
        ("make test", "check [make test]"),
        ("make -j8", "check [make]"),
        ("make lint test", "check [make lint]"),
        ("just check", "check [just check]"),
        ("mise run test:ci", "check [mise run test:ci]"),
        ("./gradlew :app:test --info", "check [./gradlew :app:test]"),
        ("mvn -q verify", "check [mvn verify]"),
        ("mix test test/a_test.exs:12", "check [mix test test/a_test.exs:12] test/a_test.exs:12"),
        ("bundle exec rspec spec/a_spec.rb", "check [rspec]"),
        ("dotnet test", "check [dotnet test]"),
        ("./node_modules/.bin/jest src/a.test.ts", "check [jest src/a.test.ts] src/a.test.ts"),
        ("bash -n run.sh", "check [bash run.sh]"),
        ("terraform validate", "check [terraform validate]"),
        ("shellcheck run.sh", "check [shellcheck]"),
    ]);
}

#[test]
fn other_scripts_of_a_project_are_what_their_names_say() {
    check(&[
        ("npm run deploy:prod", "external safe [npm run deploy:prod]"),
        ("npm run lint:fix", "write safe [npm run lint:fix]"),
        ("npm run dev", "execute unknown [npm run dev]"),
        ("npm run frobnicate", "execute? unknown [npm run frobnicate]"),
        ("make deploy", "external safe [make deploy]"),
        ("make build-and-deploy", "external safe [make build-and-deploy]"),
        ("make clean build", "write safe [make clean]"),
        ("make -n deploy", "read [make deploy]"),
        ("make CC=clang test", "check [make test]"),
        ("yarn db:migrate", "write unknown [yarn db:migrate]"),
        ("mvn clean install", "write safe [mvn clean]"),
        ("rake db:seed", "create unknown [rake db:seed]"),
        ("just", "check [just]"),
    ]);
}

#[test]
fn packages_are_installed_and_published() {
    check(&[
        ("npm install", "write safe [npm install]"),
        ("npm i -D vitest", "write safe [npm i vitest] vitest"),
        ("pip3 install -r requirements.txt", "write safe [pip3 install requirements.txt]"),
        ("python -m pip install requests", "write safe [pip install requests] requests"),
        ("uv add httpx", "write safe [uv add httpx] httpx"),
        ("cargo add serde --features derive", "write safe [cargo add serde] serde"),
        ("go mod tidy", "write safe [go mod tidy]"),
        ("apt-get install -y jq", "write safe [apt-get install jq] jq"),
        ("brew install jq", "write safe [brew install jq] jq"),
        ("npm ls --depth 0", "read [npm ls]"),
        ("npm publish --access public", "external safe [npm publish]"),
        ("npm publish --dry-run", "read [npm publish]"),
        ("cargo publish -p owed", "external safe [cargo publish]"),
        ("twine upload dist/a.whl", "external safe [twine upload dist/a.whl] dist/a.whl"),
        ("cargo fmt", "write safe [cargo fmt]"),
        ("black src", "write safe [black src] src"),
        ("eslint --fix src", "write safe [eslint src] src"),
    ]);
}

#[test]
fn what_runs_code_may_do_anything() {
    check(&[
        ("python scripts/load.py --all", "execute unknown [python scripts/load.py]"),
        ("python -c 'print(1)'", "read? [python]"),
        ("python -c 'import deploy; deploy.run()'", "execute? unknown [python]"),
        ("node build.js", "execute unknown [node build.js]"),
        ("./migrate.sh orders --apply", "execute? unknown [./migrate.sh orders]"),
        ("bash scripts/deploy.sh prod", "execute unknown [bash scripts/deploy.sh]"),
        ("cargo run --bin load", "execute unknown [cargo run load]"),
        ("go run ./cmd/load", "execute unknown [go run ./cmd/load]"),
        ("frobnicate --all", "execute? unknown [frobnicate]"),
        ("$EDITOR a.txt", "execute? unknown [$EDITOR a.txt]"),
        ("./test", "execute? unknown [./test]"),
        ("node --version", "read [node]"),
        ("cargo run -- --help", "read [cargo run]"),
        ("npx tsx src/cli.ts --help 2>&1 | head -5", "read [tsx src/cli.ts]"),
        ("./deploy.sh --help", "read [./deploy.sh]"),
        ("bash scripts/deploy.sh prod --help", "read [bash scripts/deploy.sh]"),
        // What is handed on runs, whatever stands behind it.
        ("bash -c './deploy.sh' --help", "execute? unknown [./deploy.sh]"),
        ("sudo ./deploy.sh --help", "read [./deploy.sh]"),
        ("frobnicate --version", "read [frobnicate]"),
        ("frobnicate --version now", "execute? unknown [frobnicate now]"),
        ("frobnicate --help-me", "execute? unknown [frobnicate]"),
        ("./deploy.sh --help && ./deploy.sh", "execute? unknown [./deploy.sh]"),
    ]);
}

#[test]
fn migrations_change_a_database() {
    check(&[
        ("alembic upgrade head", "write safe [alembic upgrade head] head"),
        ("alembic downgrade -1", "write harm [alembic downgrade]"),
        ("alembic current", "read [alembic current]"),
        ("python manage.py migrate app", "write safe [python manage.py migrate app] app"),
        ("./manage.py showmigrations", "read [./manage.py showmigrations]"),
        ("npx prisma migrate deploy", "write safe [prisma migrate deploy]"),
        ("rails db:migrate", "write safe [rails db:migrate]"),
        ("bundle exec rails db:rollback", "write harm [rails db:rollback]"),
        ("flyway migrate", "write safe [flyway migrate]"),
        ("php artisan migrate", "write safe [php artisan migrate]"),
        ("mix ecto.migrate", "write safe [mix ecto.migrate]"),
        ("sqlx migrate run", "write safe [sqlx migrate run]"),
    ]);
}
