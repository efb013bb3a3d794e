import db from '@adonisjs/lucid/services/db'
import type { Group } from '@japa/runner/core'

/**
 * Removes the work that is planned, before a group of tests and after each of them: a worker of one
 * test would do the leftovers of others in its turns.
 */
export function withoutLeftWork(group: Group): void {
  const remove = async () => void (await db.from('jobs').delete())
  group.setup(remove)
  group.each.teardown(remove)
}
