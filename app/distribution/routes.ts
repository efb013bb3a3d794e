import { operations as devices } from './devices/routes.js'
import { operations as installs } from './install_pages/routes.js'
import { operations as buckets } from './routes/buckets.js'
import { operations as builds } from './routes/builds.js'
import { operations as uploads } from './routes/uploads.js'
import { operations as testers } from './testers/routes.js'

export const operations = [...buckets, ...builds, ...uploads, ...testers, ...installs, ...devices]
