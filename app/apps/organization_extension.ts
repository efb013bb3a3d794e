import type { Scope } from '#foundation/core/scope'
import type { OrganizationExtension } from '#organizations/extensions'
import { appUsers } from './tables.js'

/** The extension of organizations by the apps module. */
export const organizationExtension: OrganizationExtension = {
  apps: {
    async count(scope) {
      const [row] = await scope.table('apps').count('* as total')
      return Number(row.total)
    },

    async existingIds(scope, ids) {
      const rows: { id: string }[] = await scope
        .table('apps')
        .whereIn('id', [...ids])
        .select('id')
      return rows.map(({ id }) => id)
    },

    /** Adds the user to every app, after its existing users. */
    async join(scope, userId) {
      const positions = await lastPositions(scope)
      const rows: { id: string }[] = await scope.table('apps').select('id')
      await scope.insert(
        appUsers,
        rows.map(({ id: appId }) => ({
          appId,
          userId,
          position: (positions.get(appId) ?? -1) + 1,
        }))
      )
    },
  },
}

async function lastPositions(scope: Scope): Promise<Map<string, number>> {
  const rows: { app_id: string; position: number }[] = await scope
    .table('app_users')
    .groupBy('app_id')
    .select('app_id')
    .max('position as position')
  return new Map(rows.map((row) => [row.app_id, Number(row.position)]))
}
