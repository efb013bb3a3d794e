import { as, change, select, type Change, type Select } from './statement.js'
import { text, type Table, type TableName } from './table.js'

/** @throws Error for a statement that is not of one organization: a mistake in the program */
export function demandTenant(sql: string): void {
  if (sql.includes('organization_id = :org')) return
  if (/^insert into \w+ \([^)]*organization_id/.test(sql) && sql.includes(':org')) return
  throw new Error('A statement must name its tenant')
}

/** The table that a change is of. */
export function tableOf({ sql }: Change): string {
  return /(?:insert into|update|delete from) (\w+)/.exec(sql)![1]
}

const locks = new Map<string, Select>()

/** @param ifLocked whether a row that another transaction has locked is waited for, or left out */
export function rowToLock(
  name: TableName,
  isShared: boolean,
  ifLocked: 'wait' | 'skip' = 'wait'
): Select {
  const key = `${name} ${ifLocked}`
  let found = locks.get(key)
  if (!found) {
    // A row that others only refer to, in rows that they insert, is free.
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

/** The UPDATE of some columns under conditions on its key, written once. */
export function updateOf(
  { name }: Table,
  conditions: readonly string[],
  columns: readonly string[]
): Change {
  if (columns.length === 0) throw new Error('An update must say what changes')
  const written = `${name} ${conditions.join(' ')}: ${columns.join(' ')}`
  let found = updates.get(written)
  if (!found) {
    const sets = columns.map((column) => `${column} = :${column}`)
    const where = ['organization_id = :org', ...conditions].join(' and ')
    found = change(`update ${name} set ${sets.join(', ')} where ${where}`)
    updates.set(written, found)
  }
  return found
}
