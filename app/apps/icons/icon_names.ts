import { of, select } from '#foundation/core/database/statement'
import type { FileNames } from '#foundation/core/files/file_names'
import { apps } from '../tables.js'
import { digestOf, ICONS, iconKey } from './store_icon.js'

const AFTER = select(
  of(apps, 'a', ['id', 'iconFile']),
  'from apps a where a.icon_file is not null and a.id > :place order by a.id limit :limit'
)
const AMONG = select(of(apps, 'a', ['iconFile']), 'from apps a where a.icon_file in json(:names)')

/** The names of the icon files that apps show. */
export const iconNames: FileNames = {
  folder: ICONS,
  async after(selects, place, limit) {
    const rows = await selects.rows(AFTER, { place, limit })
    return rows.map(({ id, iconFile }) => ({
      place: id,
      key: iconKey(iconFile!),
      size: null,
      sha256: digestOf(iconFile!),
    }))
  },
  async among(selects, keys) {
    const names = JSON.stringify(keys.map((key) => key.slice(ICONS.length)))
    const rows = await selects.rows(AMONG, { names })
    return rows.map(({ iconFile }) => iconKey(iconFile!))
  },
}
