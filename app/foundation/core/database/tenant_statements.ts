import { as, change, select, type Change, type Select } from './statement.js'
import { text, type Table, type TableName } from './table.js'

/** @throws Error for a statement without a condition on its organization: a mistake in the code */
export function requireTenant(sql: string): void {
  if (sql.includes('organization_id = :org')) return
  if (/^insert into \w+ \([^)]*organization_id/.test(sql) && sql.includes(':org')) return
  throw new Error('A statement must name its tenant')
}

/** Returns the table that a statement changes. */
export function tableOf({ sql }: Change): string {
  return /(?:insert into|update|delete from) (\w+)/.exec(sql)![1]
}

const locks = new Map<string, Select>()

/** @param ifLocked says whether to wait for a row that another transaction has locked */
export function rowToLock(
  name: TableName,
  isShared: boolean,
  ifLocked: 'wait' | 'skip' = 'wait'
): Select {
  const key = `${name} ${ifLocked}`
  let found = locks.get(key)
  if (!found) {
    // A row that others merely insert references to does not count as locked.
    const how = ifLocked === 'skip' ? 'for no key update skip locked' : 'for update'
    const lock = isShared ? ` ${how}` : ''
    found = select(
      { id: as(text(), 't.id') },
      `from ${name} t where t.organization_id = :org and t.id = :id${lock}`
    )
    locks.set(key, found)
  }
  return found
}

const updates = new Map<string, Change>()

/** Returns the UPDATE of some columns under conditions on its key; each is made once and kept. */
export function updateOf(
  { name }: Table,
  conditions: readonly string[],
  columns: readonly string[]
): Change {
  if (columns.length === 0) throw new Error('An update must say what changes')
  const key = `${name} ${conditions.join(' ')}: ${columns.join(' ')}`
  let found = updates.get(key)
  if (!found) {
    const sets = columns.map((column) => `${column} = :${column}`)
    const where = ['organization_id = :org', ...conditions].join(' and ')
    found = change(`update ${name} set ${sets.join(', ')} where ${where}`)
    updates.set(key, found)
  }
  return found
}
