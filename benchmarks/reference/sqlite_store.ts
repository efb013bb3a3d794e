import Database from 'better-sqlite3'
import * as sql from './statements.js'
import type { Store } from './store.js'
import {
  changesOf,
  requireKey,
  itemEntity,
  partsOfKey,
  versionOf,
  type Row,
  type Wanted,
} from './work.js'

/** better-sqlite3 with its statements prepared once. */
export class SqliteStore implements Store {
  readonly #database: Database.Database
  readonly #write: Database.Transaction<(...given: Parameters<Store['setStatuses']>) => object[]>
  readonly #statements

  constructor(file: string, synchronous: string) {
    const database = new Database(file)
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${synchronous}`)
    database.pragma('foreign_keys = ON')
    database.pragma('busy_timeout = 10000')
    for (const statement of sql.TABLES) database.exec(statement)
    const prepare = (text: string) => database.prepare<unknown[], Row>(text)
    this.#statements = {
      release: prepare(sql.RELEASE),
      steps: prepare(sql.STEPS),
      items: prepare(sql.ITEMS),
      key: prepare(sql.KEY),
      app: prepare(sql.APP),
      setStatus: prepare(sql.SET_STATUS),
      takeNumbers: prepare(sql.TAKE_NUMBERS),
      addEvent: prepare(sql.ADD_EVENT),
    }
    this.#database = database
    this.#write = this.#database.transaction((key, appId, releaseId, wanted) =>
      this.#change(key, appId, releaseId, wanted)
    )
  }

  detail(appId: string, releaseId: string): Row {
    const { release, steps, items } = this.#statements
    const found = release.get(appId, ...versionOf(releaseId))!
    return { ...found, steps: steps.all(found.id), items: items.all(found.id) }
  }

  setStatuses(...given: Parameters<Store['setStatuses']>): object[] {
    return this.#write.immediate(...given)
  }

  #change(givenKey: string, appId: string, releaseId: string, wanted: Wanted[]) {
    const statements = this.#statements
    const { id, hash } = partsOfKey(givenKey)
    const key = requireKey(statements.key.get(id), hash)
    const app = statements.app.get(appId, key.organization_id)!
    const release = statements.release.get(appId, ...versionOf(releaseId))!
    const steps = statements.steps.all(release.id)
    const items = statements.items.all(release.id)
    const changes = changesOf({ key, app, release, steps, items }, wanted)
    for (const { update } of changes) statements.setStatus.run(...update)
    const last = statements.takeNumbers.get(changes.length, key.organization_id)!
    const first = Number(last.sequence) - changes.length + 1
    changes.forEach(({ event }, index) => statements.addEvent.run(...event(first + index)))
    return changes.map(({ item }) => itemEntity(item))
  }
}
