import type { TesterDeviceEntity } from '#distribution/devices/entities'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import { unlessForbidden } from '../frame/unless_forbidden.js'
import type { NamedApp } from '../keys/answers.js'
import type { PageOf } from '../release/answers.js'
import type { Bucket, Build, Link } from './answers.js'
import { bucketView, searchIn } from './bucket.view.js'
import { deleteBuildView, expireBuildView, testerBuildView } from './build.view.js'
import { bucketFormView } from './forms.view.js'
import { installLinkView, newInstallLinkView, withdrawLinkView } from './link.view.js'
import { bucketsView } from './list.view.js'

type Params = Record<string, string>

const ofApp = ({ appId }: Params) => ({ params: { appId } })
const ofBucket = ({ appId, bucketId }: Params) => ({ params: { appId, bucketId } })

const appOf = async ({ ask, params }: PageCall) =>
  (await ask<NamedApp>('getApp', ofApp(params))).body

const bucketOf = ({ ask, params }: PageCall) => ask<Bucket>('getBucket', ofBucket(params))

/** Reads the links of the bucket; null for readers who may not see them. */
const linksOf = ({ ask, params }: PageCall) =>
  unlessForbidden(ask<PageOf<Link>>('listInstallLinks', ofBucket(params)))

/** Reads the devices of its testers; null for readers who are not bucket admins. */
const devicesOf = ({ ask, params }: PageCall) =>
  unlessForbidden(ask<PageOf<TesterDeviceEntity>>('listTesterDevices', ofBucket(params)))

/** The buckets of an app. */
export const bucketsPage = page({
  path: addresses.buckets,
  template: 'buckets/list',
  async read(call) {
    const { body: buckets } = await call.ask<Bucket[]>('listBuckets', ofApp(call.params))
    return { app: await appOf(call), buckets }
  },
  view: bucketsView,
})

/** The form that creates a bucket. */
export const newBucketPage = page({
  path: addresses.newBucket,
  template: 'buckets/form',
  read: async (call) => ({ app: await appOf(call), bucket: null, tag: null }),
  view: bucketFormView,
})

/** A bucket with its builds. */
export const bucketPage = page({
  path: addresses.bucket,
  template: 'buckets/bucket',
  async read(call) {
    const { ask, params, query, baseUrl } = call
    const filter = { q: searchIn(query) || undefined, cursor: query.cursor }
    const { body: bucket } = await bucketOf(call)
    const [app, builds, links, devices] = await Promise.all([
      appOf(call),
      ask<PageOf<Build>>('listBucketBuilds', { ...ofBucket(params), query: filter }),
      linksOf(call),
      devicesOf(call),
    ])
    return {
      ...{ app, bucket, builds: builds.body, baseUrl },
      links: links && links.body,
      devices: devices && devices.body,
    }
  },
  view: bucketView,
})

/** The form that changes a bucket. */
export const editBucketPage = page({
  path: addresses.editBucket,
  template: 'buckets/form',
  async read(call) {
    const { body: bucket, etag: tag } = await bucketOf(call)
    return { app: await appOf(call), bucket, tag }
  },
  view: bucketFormView,
})

async function buildOf(call: PageCall) {
  const { appId, bucketId, buildDistroBuildId } = call.params
  const params = { appId, bucketId, buildDistroBuildId }
  const [app, bucket, build] = await Promise.all([
    appOf(call),
    bucketOf(call),
    call.ask<Build>('getBucketBuild', { params }),
  ])
  return { app, bucket: bucket.body, build: build.body, tag: build.etag }
}

/** A build in a bucket. */
export const testerBuildPage = page({
  path: addresses.testerBuild,
  template: 'buckets/build',
  async read(call) {
    const [found, links, devices] = await Promise.all([
      buildOf(call),
      linksOf(call),
      devicesOf(call),
    ])
    return { ...found, mayLink: links !== null, isAdmin: devices !== null }
  },
  view: testerBuildView,
})

/** The confirmation before a build expires. */
export const expireBuildPage = page({
  path: addresses.expireTesterBuild,
  template: 'components/question_page',
  read: buildOf,
  view: expireBuildView,
})

/** The confirmation before a build is deleted. */
export const deleteBuildPage = page({
  path: addresses.deleteTesterBuild,
  template: 'components/question_page',
  read: buildOf,
  view: deleteBuildView,
})

/** The form that creates an install link. */
export const newInstallLinkPage = page({
  path: addresses.newInstallLink,
  template: 'buckets/new_link',
  async read(call) {
    const { ask, params } = call
    // Refuses readers who may not list links, because they may not create one either.
    await ask('listInstallLinks', ofBucket(params))
    const { body: bucket } = await bucketOf(call)
    const request = { ...ofBucket(params), query: { status: 'active' } }
    const { body: builds } = await ask<PageOf<Build>>('listBucketBuilds', request)
    return { bucket, builds: builds.data }
  },
  view: newInstallLinkView,
})

async function linkOf(call: PageCall) {
  const { appId, bucketId, installLinkId } = call.params
  const { body: bucket } = await bucketOf(call)
  const params = { appId, bucketId, installLinkId }
  const { body: link, etag: tag } = await call.ask<Link>('getInstallLink', { params })
  const id = link.buildDistroBuildId
  const build =
    id === null
      ? null
      : await call.ask<Build>('getBucketBuild', {
          params: { appId, bucketId, buildDistroBuildId: id },
        })
  return { bucket, link, tag, build: build && build.body }
}

/** An install link with its QR code. */
export const installLinkPage = page({
  path: addresses.installLink,
  template: 'buckets/link',
  read: linkOf,
  view: installLinkView,
})

/** The confirmation before an install link is withdrawn. */
export const withdrawLinkPage = page({
  path: addresses.withdrawInstallLink,
  template: 'components/question_page',
  read: linkOf,
  view: withdrawLinkView,
})
