import db from '@adonisjs/lucid/services/db'
import type { Group } from '@japa/runner/core'

/**
 * Deletes planned jobs before a group of tests and after each of them: otherwise the worker of one
 * test would carry out the leftovers of others.
 */
export function withoutLeftWork(group: Group): void {
  const remove = async () => void (await db.from('jobs').delete())
  group.setup(remove)
  group.each.teardown(remove)
}
