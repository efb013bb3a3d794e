import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/**
 * Inserts a member of a group that does not exist, with foreign keys deferred: SQLite refuses it
 * only at COMMIT.
 */
export async function insertOrphanMember(
  client: QueryClientContract,
  organizationId: string
): Promise<void> {
  await client.rawQuery('pragma defer_foreign_keys = on')
  await client.table('group_members').insert({
    organization_id: organizationId,
    group_id: 'grp_none',
    user_id: 'usr_none',
    created_at: '2026-01-01T00:00:00.000Z',
  })
}
