import { addresses, addressOf } from '../addresses.js'
import type { PageCall, PageView } from '../frame/page.js'
import { appName } from '../words/names.js'
import { counted } from '../words/numbers.js'
import { relativeText, timeText } from '../words/times.js'
import type { BucketsAnswers } from './answers.js'
import { BUCKET_TYPES, seenByText } from './words.js'

type Call = Pick<PageCall, 'reader' | 'params'>

/** Returns links to the app and to its buckets. */
export const crumbsOf = (app: BucketsAnswers['app']) => ({
  app: { href: addressOf(addresses.app, { appId: app.id }), name: appName(app) },
  buckets: addressOf(addresses.buckets, { appId: app.id }),
})

/** Returns the view of the buckets of an app: active ones, then archived ones. */
export function bucketsView({ app, buckets }: BucketsAnswers, { reader, params }: Call) {
  const rows = buckets.map((bucket) => ({
    isActive: bucket.status === 'active',
    href: addressOf(addresses.bucket, { ...params, bucketId: bucket.id }),
    name: bucket.name,
    type: BUCKET_TYPES[bucket.type],
    seenBy: seenByText(bucket),
    count: counted(bucket.buildCount, 'build'),
    latest: bucket.latestBuild
      ? `the last ${relativeText(bucket.latestBuild.createdAt, reader.now) ?? timeText(bucket.latestBuild.createdAt, reader)}`
      : null,
  }))
  const archived = rows.filter(({ isActive }) => !isActive)
  return {
    title: `Buckets · ${app.name}`,
    place: null,
    pollSeconds: 60,
    crumbs: crumbsOf(app),
    newHref: reader.may('createBucket') ? addressOf(addresses.newBucket, params) : null,
    rows: rows.filter(({ isActive }) => isActive),
    archivedText: `${counted(archived.length, 'bucket')} archived`,
    archived,
  } satisfies PageView & Record<string, unknown>
}
