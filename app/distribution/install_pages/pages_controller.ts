import config from '@adonisjs/core/services/config'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import { download, ok, type OperationResponse } from '#foundation/api/operation/response'
import type { Call, Origin, Wire } from '#foundation/api/operation/declaration'
import { appSummary } from '#apps/queries/app_summary'
import { refuse } from '#foundation/core/problems/problem'
import { personName } from '#organizations/queries/people'
import type { BuildDistroBuildEntity } from '../entities.js'
import {
  buildEntities,
  buildEntity,
  buildKeys,
  findBuild,
  listBuilds,
} from '../queries/build_entities.js'
import { findFile } from '../queries/find_file.js'
import { asPage } from './as_page.js'
import { CONTENT_TYPES } from './declarations.js'
import { deviceName, deviceOf, type Device } from './device.js'
import { iconOf, type IconSize } from './icon.js'
import { readTicket, writeTicket, type TicketUse } from './install_tokens.js'
import { itmsLink, writeManifest } from './manifest.js'
import { isOver, offerOf } from './offer.js'
import { openPageLink, openTicket, type OpenedLink } from './open_link.js'
import { isNewer } from '../testers/is_newer.js'
import { latestBuild } from '../testers/latest_build.js'
import { noteDownload } from '../testers/record_download.js'
import type { UpdateCheckQuery } from '../testers/validators.js'
import type { ListPageQuery } from './validators.js'
import { buildPage } from './views/build_page.js'
import { listPage } from './views/list_page.js'
import { messagePage } from './views/notice_page.js'

/** Number of builds per page. */
const PAGE_SIZE = 25

interface Page<Entity> {
  data: Entity[]
  pagination: { nextCursor: string | null }
}

/** Serves people and devices that have an install link instead of an API key. */
export class PagesController {
  /** Shows the build of a link, or the newest in its bucket that the device can install. */
  show({ params, body, origin }: Call<Wire>): Promise<OperationResponse> {
    return asPage(async () => {
      const link = await openPageLink(params.installToken)
      const baseUrl = baseOf(origin)
      const build = await buildOf(link, deviceOf(body.headers['user-agent']), baseUrl)
      if (build === null) {
        return messagePage(
          200,
          link.bucket.name,
          'There are no builds here yet. Check again later.'
        )
      }
      const path = `/install/${params.installToken}`
      const listPath = link.buildId === null ? `${path}/builds` : null
      return pageOf(link, build, { path, listPath, homePath: path, body, baseUrl })
    })
  }

  /** Shows one build of a bucket, by a link to its newest build. */
  showOne({ params, body, origin }: Call<Wire>): Promise<OperationResponse> {
    return asPage(async () => {
      const link = await openBucketLink(params.installToken)
      const { scope, bucket } = link
      const baseUrl = baseOf(origin)
      const row = await findBuild(scope, bucket, params.buildDistroBuildId)
      const listPath = `/install/${params.installToken}/builds`
      const homePath = `/install/${params.installToken}`
      const place = { path: `${listPath}/${row.id}`, listPath, homePath, body, baseUrl }
      return pageOf(link, await buildEntity(scope, row, baseUrl), place)
    })
  }

  /** Lists the builds of a bucket that can be installed, newest first. */
  index({ params, query, origin }: Call<undefined, ListPageQuery>): Promise<OperationResponse> {
    return asPage(async () => {
      const { scope, bucket, tester, organizationName } = await openBucketLink(params.installToken)
      const homePath = `/install/${params.installToken}`
      const { cursor, ...given } = query
      const filters = Object.fromEntries(Object.entries(given).filter(([, value]) => value))
      const { body } = await page({
        cursors,
        path: `${homePath}/builds`,
        query: { ...filters, cursor, limit: PAGE_SIZE },
        fetch: (request) => listBuilds(scope, bucket, { ...filters, status: 'active' }, request),
        keys: buildKeys,
        transform: (builds) => buildEntities(scope, builds, baseOf(origin)),
      })
      const { data, pagination } = body as Page<BuildDistroBuildEntity>
      return listPage({
        builds: data,
        bucketName: bucket.name,
        appName: (await appSummary(scope, bucket.appId)).name,
        organizationName,
        testerId: tester?.id ?? null,
        homePath,
        filters,
        now: scope.now,
        nextCursor: pagination.nextCursor,
      })
    })
  }

  /** Tells an app whether there is a newer build of it. */
  async update({
    params,
    query,
    origin,
  }: Call<undefined, UpdateCheckQuery>): Promise<OperationResponse> {
    const { scope, bucket } = await openBucketLink(params.installToken)
    const baseUrl = baseOf(origin)
    const asking = { bundleId: query.bundleId, device: null, baseUrl }
    const build = await latestBuild(scope, bucket, asking)
    if (!build) throw refuse('not_found')
    const { version, buildNumber, testerNotes, createdAt } = build
    const own = { version: query.version ?? null, buildNumber: query.buildNumber }
    return ok({
      updateAvailable: isNewer(build, own),
      version,
      buildNumber,
      testerNotes,
      createdAt,
      url: `${baseUrl}/install/${params.installToken}/builds/${build.id}`,
    })
  }

  async manifest({ params, origin }: Call): Promise<OperationResponse> {
    const baseUrl = baseOf(origin)
    const { link, buildId } = await openTicket('manifest', params.manifestToken)
    const { metadata, ...build } = await installableBuild(link, buildId, baseUrl)
    if (metadata?.format !== 'ipa') throw refuse('not_found')
    const place = { linkId: link.id, buildId }
    const { bundleId, name, version, buildNumber } = metadata
    const bytes = writeManifest({
      bundleId,
      version: version ?? buildNumber ?? '1.0',
      title: name ?? (await appSummary(link.scope, build.appId)).name,
      packageUrl: addressOf(baseUrl, 'package', place, link.scope.now),
      smallIconUrl: addressOf(baseUrl, 'smallIcon', place, link.scope.now),
      largeIconUrl: addressOf(baseUrl, 'largeIcon', place, link.scope.now),
    })
    const headers = { 'cache-control': 'private, no-store' }
    return { status: 200, raw: { bytes, contentType: 'application/xml; charset=utf-8' }, headers }
  }

  async package({ params, origin }: Call<Wire>): Promise<OperationResponse> {
    const { link, buildId } = await openTicket('package', params.packageToken)
    const { metadata } = await installableBuild(link, buildId, baseOf(origin))
    const { appId, id: bucketId } = link.bucket
    const place = { appId, bucketId, buildDistroBuildId: buildId }
    const found = await findFile(link.scope, place, { kind: 'artifact' })
    const contentType = metadata ? CONTENT_TYPES[metadata.format] : 'application/octet-stream'
    return download({ ...found, contentType }, (userAgent) =>
      noteDownload(link.scope, {
        bucketId,
        buildId,
        installLinkId: link.id,
        keyId: null,
        userId: link.tester?.id ?? null,
        device: deviceName(userAgent),
      })
    )
  }

  async icon({ params: { iconToken } }: Call): Promise<OperationResponse> {
    const size: IconSize = readTicket('smallIcon', iconToken) ? 'small' : 'large'
    const { link, buildId } = await openTicket(`${size}Icon`, iconToken)
    const build = await findBuild(link.scope, link.bucket, buildId)
    const bytes = await iconOf(link.scope, build, size)
    const headers = {
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
    }
    return { status: 200, raw: { bytes, contentType: 'image/png' }, headers }
  }
}

/** Returns the address of the service, by default the configured one. */
const baseOf = ({ baseUrl }: Origin) => baseUrl || config.get<string>('app.serviceUrl')

/**
 * Returns the build of a link, or the newest that a device can install; null if the bucket is empty.
 * If all have ended, returns the newest, whose page says so.
 */
async function buildOf(
  link: OpenedLink,
  device: Device,
  baseUrl: string
): Promise<BuildDistroBuildEntity | null> {
  const { scope, bucket, buildId } = link
  if (buildId !== null) {
    return buildEntity(scope, await findBuild(scope, bucket, buildId), baseUrl)
  }
  const latest = await latestBuild(scope, bucket, { bundleId: null, device, baseUrl })
  if (latest) return latest
  const [newest] = await listBuilds(scope, bucket, { status: 'active' }, { limit: 1, after: null })
  return newest ? buildEntity(scope, newest, baseUrl) : null
}

/** Returns the build of a ticket. @throws not_found, file_gone if it or its profile has expired */
async function installableBuild(link: OpenedLink, buildId: string, baseUrl: string) {
  const { scope, bucket } = link
  const build = await buildEntity(scope, await findBuild(scope, bucket, buildId), baseUrl)
  const offer = offerOf(build, deviceOf(undefined), { isSecure: true, now: scope.now })
  if (!isOver(offer)) return build
  throw refuse('file_gone', {
    detail:
      offer === 'expired' ? 'The build has expired.' : 'The profile of the build has expired.',
    currentStatus: 'expired',
    allowedActions: [],
  })
}

/** Opens a link to a bucket's newest build, which gives access to all. @throws not_found otherwise */
async function openBucketLink(token: string): Promise<OpenedLink> {
  const link = await openPageLink(token)
  if (link.buildId !== null) throw refuse('not_found')
  return link
}

/** The paths around a page, and its request. */
interface PagePlace {
  path: string
  listPath: string | null
  homePath: string
  body: Wire
  baseUrl: string
}

async function pageOf(
  link: OpenedLink,
  build: BuildDistroBuildEntity,
  { path, listPath, homePath, body, baseUrl }: PagePlace
): Promise<OperationResponse> {
  const { scope, organizationName, tester } = link
  const { now } = scope
  const isSecure = baseUrl.startsWith('https:')
  const device = deviceOf(body.headers['user-agent'])
  const place = { linkId: link.id, buildId: build.id }
  const manifest = addressOf(baseUrl, 'manifest', place, now)
  return buildPage({
    build,
    device,
    offer: offerOf(build, device, { isSecure, now }),
    appName: build.metadata?.name ?? (await appSummary(scope, build.appId)).name,
    organizationName,
    testerName: tester && personName(tester),
    addresses: {
      page: baseUrl + path,
      icon: addressOf(baseUrl, 'largeIcon', place, now),
      package: addressOf(baseUrl, 'package', place, now),
      install: isSecure ? itmsLink(manifest) : '',
    },
    listPath,
    devicePath: `${homePath}/device`,
    now,
  })
}

const SEGMENTS: Record<TicketUse, string> = {
  manifest: 'install-manifest',
  package: 'install-package',
  smallIcon: 'install-icon',
  largeIcon: 'install-icon',
}

/** Returns an address that contains a ticket for a build. */
const addressOf = (
  baseUrl: string,
  use: TicketUse,
  place: { linkId: string; buildId: string },
  now: string
) => `${baseUrl}/${SEGMENTS[use]}/${writeTicket(use, place, now)}`
