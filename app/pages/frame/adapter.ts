import { executor } from '#foundation/api/services'
import { clock } from '#foundation/core/services'
import { organizationOfApp } from '../session/queries/organization_of_app.js'
import { PageAdapter } from './page_adapter.js'

/** The page adapter of this process. */
export const adapter = new PageAdapter({ executor, clock, organizationOf: organizationOfApp })
