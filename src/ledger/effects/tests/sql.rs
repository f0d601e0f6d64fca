//! SQL on a command line.

use super::check;

#[test]
fn the_verb_of_a_statement_decides() {
    check(&[
        ("psql -c 'select * from orders'", "read [psql select orders] orders"),
        ("psql app -c 'insert into orders values (1)'", "create harm [psql insert orders] orders"),
        ("psql -d app -tAc \"UPDATE orders SET n = 1\"", "write unknown [psql update orders] orders"),
        ("psql -c 'drop table if exists orders'", "write safe [psql drop orders] orders"),
        ("psql -c 'select 1; delete from orders where id = 2'", "write safe [psql delete orders] orders"),
        ("psql app -c '\\dt'", "read [psql meta app] app"),
        ("psql app -f schema.sql", "execute unknown [psql schema.sql] app"),
        ("psql -l", "read [psql]"),
        ("psql app <<'EOF'\ninsert into orders values (1);\nEOF", "create harm [psql insert orders] orders"),
        ("psql app <<< 'select 1 from orders'", "read [psql select orders] orders"),
        ("echo 'delete from orders' | psql app", "write safe [psql delete orders] orders"),
        ("cat <<EOF | psql app\ninsert into orders values (1)\nEOF", "create harm [psql insert orders] orders"),
        ("mysql -u root -e 'show tables' shop", "read [mysql show shop] shop"),
        ("sqlite3 app.db 'select count(*) from t'", "read [sqlite3 select t] t"),
        ("sqlite3 app.db \"insert into t values (1)\"", "create harm [sqlite3 insert t] t"),
        ("sqlite3 app.db .schema", "read [sqlite3 meta app.db] app.db"),
        ("sqlite3 app.db", "execute unknown [sqlite3 app.db] app.db"),
        ("docker exec db psql -U app -c 'truncate orders'", "write safe [psql truncate orders] orders"),
        ("ssh db1 \"psql -c 'drop table orders'\"", "write safe [psql drop orders] orders"),
        ("ssh db1 psql app <<EOF\ndelete from orders;\nEOF", "write safe [psql delete orders] orders"),
        ("kubectl exec db-0 -- psql -c 'select now()'", "read [psql select]"),
        ("psql -c 'frobnicate orders'", "execute? unknown [psql frobnicate]"),
        ("redis-cli -n 1 set k v", "write safe [redis-cli set k] k"),
        ("pg_dump app > dump.sql", "write safe [pg_dump > dump.sql] dump.sql"),
    ]);
}
