import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** Has the artifacts read that were stored before there was anybody to read them. */
export async function planReadings(client: QueryClientContract): Promise<void> {
  await client.rawQuery(
    `insert into agenda_entries (id, organization_id, nature, kind, subject, idempotency_key,
       payload, state, due_at, look_at, created_at)
     select 'agd_' || b.id, b.organization_id, 'wish', 'distribution.readBuild', b.id, b.id,
       '{"fileId":"' || f.file_id || '"}', 'planned', b.created_at,
       b.created_at, b.created_at
     from distribution_builds b
     join distribution_files f on f.build_id = b.id and f.kind = 'artifact'
     where f.file_id is not null`
  )
  await client.rawQuery(
    `insert into build_readings (build_id, organization_id, status, failure)
     select b.id, b.organization_id, case when f.file_id is null then 'failed' else 'pending' end,
       case when f.file_id is null then 'The build expired before its file was read.' end
     from distribution_builds b
     join distribution_files f on f.build_id = b.id and f.kind = 'artifact'`
  )
}
