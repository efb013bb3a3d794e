import { addresses, addressOf } from '../addresses.js'
import { textOf } from '../frame/fields.js'
import type { PageCall, PageView, Reader } from '../frame/page.js'
import { counted, sizeText } from '../words/numbers.js'
import { statusLabel } from '../words/statuses.js'
import { inSentence, timeOf } from '../words/times.js'
import type { BucketAnswers, Link } from './answers.js'
import { crumbsOf } from './list.view.js'
import {
  BUCKET_TYPES,
  BUILD_STATUSES,
  buildName,
  retentionText,
  ruleText,
  seenByText,
} from './words.js'

type Call = Pick<PageCall, 'reader' | 'params' | 'query'>

/** The most characters of a search. */
const MAX_OF_SEARCH = 100

/** Returns the search for builds in a query. */
export const searchIn = (query: PageCall['query']): string =>
  (textOf(query, 'q') ?? '').slice(0, MAX_OF_SEARCH)

const LEVELS: Readonly<Record<string, string>> = {
  admin: 'Admin of the bucket',
  uploader: 'Uploads builds, creates links',
  tester: 'Installs',
}

/**
 * Returns the view of a bucket: its builds, who sees them, its rules, links, devices and upload.
 */
export function bucketView(answers: BucketAnswers, { reader, params, query }: Call) {
  const { app, bucket, builds, links, devices, baseUrl } = answers
  const base = addressOf(addresses.bucket, params)
  const q = searchIn(query)
  const isUnfinished = builds.data.some(
    ({ status }) => status === 'pending' || status === 'processing'
  )
  return {
    title: `${bucket.name} · ${app.name}`,
    place: null,
    pollSeconds: isUnfinished ? 15 : null,
    crumbs: crumbsOf(app),
    heading: bucket.name,
    type: BUCKET_TYPES[bucket.type],
    isArchived: bucket.status === 'archived',
    editHref: devices === null ? null : addressOf(addresses.editBucket, params),
    base,
    q,
    count: counted(bucket.buildCount, 'build'),
    rows: builds.data.map((build) => ({
      href: addressOf(addresses.testerBuild, { ...params, buildDistroBuildId: build.id }),
      name: buildName(build),
      file: `${build.artifactFileName}, ${sizeText(build.fileSize)}`,
      from: build.ciBuild?.branch ?? null,
      tags: build.tags.join(', '),
      by: build.createdBy.name,
      made: timeOf(build.createdAt, reader),
      status: statusLabel(BUILD_STATUSES, build.status),
    })),
    empty:
      q === '' ? 'There is no build yet. CI uploads it as described below.' : 'No build matches.',
    more: builds.pagination.nextCursor
      ? `${base}?${new URLSearchParams({ ...(q && { q }), cursor: builds.pagination.nextCursor })}`
      : null,
    // Otherwise its members are listed by name.
    seenBy: bucket.orgWideAccessEnabled || bucket.members.length === 0 ? seenByText(bucket) : null,
    members: bucket.members.map(({ name, permissionLevel }) => ({
      name,
      level: LEVELS[permissionLevel],
    })),
    rules: bucket.rules.map(ruleText),
    retention: retentionText(bucket),
    links: links && {
      newHref: addressOf(addresses.newInstallLink, params),
      isAll: !links.pagination.hasMore,
      rows: links.data.map((link) => ({
        href: addressOf(addresses.installLink, { ...params, installLinkId: link.id }),
        to: linkText(link, builds.data),
        tester: testerText(link),
        ends: endText(link, reader),
      })),
    },
    devices: devices && {
      count:
        counted(devices.data.length, 'device') + (devices.pagination.hasMore ? ' and more' : ''),
      rows: devices.data.map(({ udid, product, tester, isVerified }) => ({
        udid,
        product,
        tester: tester?.email ?? 'by a public link',
        isVerified,
      })),
    },
    upload:
      links === null || bucket.status === 'archived'
        ? null
        : [
            "curl -H 'X-API-Key: tarmac_…' \\",
            "  -F 'file=@Acme.ipa' \\",
            `  -F 'data={"testerNotes":"Log in with a passkey","tags":["passkeys"]}' \\`,
            `  ${baseUrl}/app/${bucket.appId}/bucket/${bucket.id}/build`,
          ].join('\n'),
  } satisfies PageView & Record<string, unknown>
}

/** Describes the target of a link. */
function linkText(
  { buildDistroBuildId: id }: Link,
  builds: BucketAnswers['builds']['data']
): string {
  if (id === null) return 'The newest build'
  const build = builds.find((each) => each.id === id)
  return build ? buildName(build) : 'A build'
}

/** Describes the audience of a link. */
export const testerText = ({ tester }: Link): string =>
  tester === null ? 'Anyone who has it' : (tester.name ?? tester.email)

/** Describes the expiry of a link. */
export function endText({ expiresAt }: Link, reader: Reader): string {
  if (expiresAt === null) return 'never ends'
  return `${expiresAt <= reader.now ? 'ended' : 'ends'} ${inSentence(expiresAt, reader)}`
}
