import { operations as links } from './links/link_routes.js'
import { operations as releaseViews } from './routes/release_views.js'
import { operations as releases } from './routes/releases.js'
import { operations as stepDecisions } from './routes/step_decisions.js'
import { operations as table } from './past_releases/table_routes.js'

/** The operations of the module. */
export const operations = [...releases, ...releaseViews, ...stepDecisions, ...links, ...table]
