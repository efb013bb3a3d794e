import { change, of, select } from '../database/statement.js'
import type { FileNames } from './file_names.js'
import { FILES } from './stored_files.js'
import { storedFiles } from './tables.js'

const AFTER = select(
  of(storedFiles, 's', ['id', 'key', 'size', 'sha256']),
  'from stored_files s where s.id > :place order by s.id limit :limit'
)
const AMONG = select(
  of(storedFiles, 's', ['key']),
  'from stored_files s where s.key in json(:keys)'
)
const GIVE_UP = change('update stored_files set lost = true where key = :key')

/** Files with a reference count (`referenceFile`). */
export const storedFileNames: FileNames = {
  folder: FILES,
  async after(selects, place, limit) {
    const rows = await selects.rows(AFTER, { place, limit })
    return rows.map(({ id, ...file }) => ({ place: id, ...file }))
  },
  async among(selects, keys) {
    const rows = await selects.rows(AMONG, { keys: JSON.stringify(keys) })
    return rows.map(({ key }) => key)
  },
  async giveUp(statements, key) {
    await statements.change(GIVE_UP, { key })
  },
}
