//! What is read of the database (packages/opencode/src/session/session.sql.ts; 2.0: `session_v2`, `session_message`).

use crate::transcript::Database;

/// Of 1.2 and later: a row a message, a row a part.
///
/// The ids sort by time. `at` is in milliseconds: a call stands where its part began, what it came to where it ended, words where they
/// were complete, what a message was charged where it was done.
pub(super) const V1: Database = Database {
    columns: &["session.parent_id", "message.data", "part.message_id", "part.data"],
    sessions: "select id, title, directory, time_updated as updated from session
        where parent_id is null or parent_id not in (select id from session) order by time_updated desc",
    records: "
        with recursive tree(id) as (
            select id from session where id = ?1
            union select s.id from session s join tree t on s.parent_id = t.id
        ),
        messages as (
            select m.id, m.session_id, m.time_created, case when json_valid(m.data) then m.data else '{}' end as data
            from message m join tree on tree.id = m.session_id
        ),
        parts as (
            select p.id, p.message_id, p.session_id, p.time_created,
                case when json_valid(p.data) then p.data else json_object('type', 'torn', 'text', p.data) end as data,
                m.data ->> '$.role' as role, m.data ->> '$.summary' as summary, m.data ->> '$.time.completed' as completed,
                m.data -> '$.error' as error
            from part p join messages m on m.id = p.message_id
        )
        select ?1 as root, session, piece, id, message, role, summary, parent, title, directory, version, at, info as 'info:json',
            part as 'part:json', turns
        from (
            select 0 as at, 0 as rank, s.id as session, 'session' as piece, s.id as id, null as message, null as role, null as summary,
                s.parent_id as parent, s.title as title, s.directory as directory, s.version as version, null as info, null as part,
                null as turns
            from session s join tree on tree.id = s.id
            union all
            select coalesce(data ->> '$.time.completed', time_created), 4, session_id, 'message', id, id, data ->> '$.role',
                data ->> '$.summary', null, null, null, null, data, null, null
            from messages
            where data ->> '$.role' <> 'assistant' or data ->> '$.time.completed' is not null or data ->> '$.error' is not null
            union all
            select time_created, 1, session_id, 'call', id, message_id, role, summary, null, null, null, null, null,
                json_object('type', 'tool', 'callID', data ->> '$.callID', 'tool', data ->> '$.tool',
                    'state', json_object('input', json(coalesce(data -> '$.state.input', 'null')))), null
            from parts where data ->> '$.type' = 'tool'
            union all
            select max(coalesce(data ->> '$.state.time.end', time_created), time_created), 2, session_id, 'end', id, message_id, role, summary, null, null,
                null, null, null, data, null
            from parts where data ->> '$.type' = 'tool' and data ->> '$.state.status' in ('completed', 'error')
            union all
            select data ->> '$.state.time.compacted', 3, session_id, 'pruned', 'pruned-' || (data ->> '$.state.time.compacted'), null,
                null, null, null, null, null, null, null, json_object('masked', json_group_array(data ->> '$.callID')), null
            from parts where data ->> '$.state.time.compacted' is not null group by session_id, data ->> '$.state.time.compacted'
            union all
            select coalesce(data ->> '$.time.end', time_created), 1, session_id, 'part', id, message_id, role, summary, null, null, null,
                null, null, data, null
            from parts
            where data ->> '$.type' <> 'tool'
                and (role <> 'assistant' or data ->> '$.time.end' is not null or completed is not null or error is not null
                    or data ->> '$.type' not in ('text', 'reasoning'))
            union all
            select 9000000000000000, 5, s.id, 'reverted', 'reverted', null, null, null, null, null, null, null, null, null,
                (select count(*) from messages m where m.session_id = s.id and m.data ->> '$.role' = 'user'
                    and m.id >= s.revert ->> '$.messageID')
            from session s join tree on tree.id = s.id where json_valid(s.revert) and s.revert ->> '$.messageID' is not null
        )
        order by at, rank, id",
};

/// Of 2.0 and later: a row a message, with its parts in it. A session's rows are numbered; those of several sort by when they began.
pub(super) const V2: Database = Database {
    columns: &[
        "session_v2.parent_id",
        "session_v2.title",
        "session_v2.directory",
        "session_v2.time_updated",
        "session_message.seq",
        "session_message.time_created",
        "session_message.data",
    ],
    sessions: "select id, title, directory, time_updated as updated from session_v2
        where parent_id is null or parent_id not in (select id from session_v2) order by time_updated desc",
    records: "
        with recursive tree(id) as (
            select id from session_v2 where id = ?1
            union select s.id from session_v2 s join tree t on s.parent_id = t.id
        )
        select ?1 as root, session, piece, parent, title, directory, id, kind, data as 'data:json'
        from (
            select 0 as at, 0 as seq, s.id as session, 'session' as piece, s.parent_id as parent, s.title as title,
                s.directory as directory, null as id, null as kind, null as data
            from session_v2 s join tree on tree.id = s.id
            union all
            select max(m.time_created) over (partition by m.session_id order by m.seq), m.seq, m.session_id, 'row', null, null, null,
                m.id, m.type, m.data
            from session_message m join tree on tree.id = m.session_id
        )
        order by at, seq, session",
};
