import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** Gives releases that are to be looked at again the entry in the agenda that they lack. */
export async function planNextLooks(client: QueryClientContract): Promise<void> {
  await client.rawQuery(
    `insert into agenda_entries (id, organization_id, nature, kind, subject, idempotency_key,
       payload, state, due_at, look_at, created_at)
     select 'agd_' || id, organization_id, 'timer', 'release.nextLook', id, id,
       '{"appId":"' || app_id || '"}', 'planned', next_look_at, next_look_at, updated_at
     from releases where next_look_at is not null`
  )
}
