import { of, select } from '../database/statement.js'
import type { SelectRunner } from '../database/runner.js'
import type { FileStore } from './file_store.js'
import { serviceIdentity } from './tables.js'

/** Folder in which each service that uses a storage leaves a mark. */
const MARKS = 'services/'

const IDENTITY = select(of(serviceIdentity, 's', ['id']), 'from service_identity s')

/**
 * Returns the id of this service, which all of its processes share: it is a row of their database.
 */
export async function serviceId(selects: SelectRunner): Promise<string> {
  const [{ id }] = await selects.rows(IDENTITY, {})
  return id
}

/** Marks a storage as used by a service, so that other services do not remove its files. */
export async function markStorage(store: FileStore, id: string): Promise<void> {
  const key = MARKS + id
  if ((await store.sizeOf(key)) !== null) return
  const words = `The Tarmac service ${id} keeps files here.\n`
  await store.put(key, Buffer.from(words), 'text/plain')
}

/** Returns the marks of other services that keep files in a storage. */
export async function othersMarks(store: FileStore, id: string): Promise<string[]> {
  const others: string[] = []
  for await (const page of store.list(MARKS)) {
    for (const { key } of page) if (key !== MARKS + id) others.push(key)
  }
  return others
}
