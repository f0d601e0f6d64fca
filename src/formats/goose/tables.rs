//! What is read of the database.

use crate::formats::rows;
use crate::transcript::Database;

/// With sub-agents' sessions.
pub(super) const CURRENT: Database = Database {
    columns: &["sessions.parent_session_id", "messages.content_json"],
    sessions: concat!(
        "select id, name as title, working_dir as directory, 1000 * unixepoch(updated_at) as updated from sessions where ",
        rows::roots!(),
        " order by updated_at desc, id desc"
    ),
    records: concat!(
        rows::tree!(),
        "
        select ?1 as root, session, parent, title, directory, created, role, content as 'content:json', metadata as 'metadata:json'
        from (
            select 0 as at, 0 as n, s.id as session, s.parent_session_id as parent, s.name as title, s.working_dir as directory,
                null as created, null as role, null as content, null as metadata
            from sessions s join tree on tree.id = s.id
            union all
            select 1, m.id, m.session_id, null, null, null, m.created_timestamp, m.role, m.content_json, m.metadata_json
            from messages m join tree on tree.id = m.session_id
        )
        order by at, n"
    ),
};

/// Schema version 1.
pub(super) const FIRST: Database = Database {
    columns: &["sessions.working_dir", "messages.content_json"],
    sessions: "select id, coalesce(nullif(description, ''), name) as title, working_dir as directory,
            1000 * unixepoch(updated_at) as updated
        from sessions order by updated_at desc, id desc",
    records: "
        select ?1 as root, id as session, null as parent, name as title, working_dir as directory, null as created, null as role,
            null as 'content:json', null as 'metadata:json'
        from sessions where id = ?1
        union all
        select * from (
            select ?1, session_id, null, null, null, created_timestamp, role, content_json, metadata_json
            from messages where session_id = ?1 order by id
        )",
};
