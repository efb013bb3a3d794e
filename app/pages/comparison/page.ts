import { textOf } from '../frame/fields.js'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { Build } from '../buckets/answers.js'
import type { PageOf } from '../release/answers.js'
import { comparisonView, type ComparedApp, type Comparison, type Other } from './view.js'

/** The most builds of a bucket to compare with: the newest ones. */
const MAX_OTHERS = 50

async function answersOf(call: PageCall, query: Record<string, string>, others: readonly Other[]) {
  const { ask, params } = call
  const request = { params: { appId: params.appId } }
  const { body: app } = await ask<ComparedApp>('getApp', request)
  const { body: comparison } = await ask<Comparison>('compareBuilds', { ...request, query })
  return { app, comparison, others }
}

/** The changes of a release's build against the version that users have. */
export const releaseComparisonPage = page({
  path: addresses.releaseComparison,
  template: 'comparison/page',
  async read(call) {
    const { appId, releaseId } = call.params
    // The address may have a former id; the API then redirects to the present one.
    const { body } = await call.ask<{ id: string }>('getRelease', { params: { appId, releaseId } })
    const destinationId = textOf(call.query, 'destinationId')
    return answersOf(call, { releaseId: body.id, ...(destinationId && { destinationId }) }, [])
  },
  view: comparisonView,
})

/** The changes of a bucket's build against the live version, or another build there. */
export const buildComparisonPage = page({
  path: addresses.testerBuildComparison,
  template: 'comparison/page',
  async read(call) {
    const { appId, bucketId, buildDistroBuildId: buildId } = call.params
    // A build of another bucket is not found here.
    await call.ask('getBucketBuild', { params: { appId, bucketId, buildDistroBuildId: buildId } })
    const { body } = await call.ask<PageOf<Build>>('listBucketBuilds', {
      params: { appId, bucketId },
      query: { limit: MAX_OTHERS },
    })
    const base = textOf(call.query, 'base')
    const query = { buildId, ...(base && { baseBuildId: base }) }
    return answersOf(
      call,
      query,
      body.data.filter(({ id }) => id !== buildId)
    )
  },
  view: comparisonView,
})
