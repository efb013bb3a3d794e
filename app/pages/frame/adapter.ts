import limiter from '@adonisjs/limiter/services/main'
import { executor } from '#foundation/api/services'
import { refuse } from '#foundation/core/problems/problem'
import { clock } from '#foundation/core/services'
import { organizationOfApp } from '../session/queries/organization_of_app.js'
import { PageAdapter } from './page_adapter.js'

/** Requests of one session in a second: many open tabs, and no loop. */
const PER_SECOND = 20

const counts = limiter.use('pages', { requests: PER_SECOND, duration: '1 second' })

/** The pages of this process. */
export const adapter = new PageAdapter({
  executor,
  clock,
  organizationOf: organizationOfApp,
  async count(signInId) {
    const isLetIn = await counts.attempt(`page ${signInId}`, () => true)
    if (!isLetIn) throw refuse('rate_limited', { headers: { 'retry-after': '1' } })
  },
})
