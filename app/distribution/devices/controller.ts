import type { X509Certificate } from 'node:crypto'
import config from '@adonisjs/core/services/config'
import { appSummary } from '#apps/queries/app_summary'
import { readBody } from '#foundation/api/http/read_body'
import type { OperationResponse } from '#foundation/api/operation/response'
import type { Call, Wire } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import { refuse } from '#foundation/core/problems/problem'
import { unitOfWork } from '#foundation/core/services'
import { Unreadable } from '#app-archives/unreadable'
import { requireLevel } from '../bucket_levels.js'
import { deviceOf } from '../install_pages/device.js'
import { isChallengeOf, writeChallenge } from '../install_pages/install_tokens.js'
import { openPageLink } from '../install_pages/open_link.js'
import { asPage } from '../install_pages/as_page.js'
import { findBucket } from '../queries/find_bucket.js'
import { authorities } from './authorities.js'
import { devicePage } from './device_page.js'
import { readAnswer, writeProfile, type ReportedDevice } from './profile_service.js'
import { deviceEntities, deviceKeys, listDevices } from './queries.js'
import { registerDevice } from './register_device.js'
import { MAX_ANSWER_BYTES, type DevicePageQuery, type ListDevicesQuery } from './validators.js'

const pathOf = (token: string) => `/install/${token}/device`
const baseOf = (baseUrl: string) => baseUrl || config.get<string>('app.serviceUrl')

export class DevicesController {
  async index({ scope, params, query }: Call<undefined, ListDevicesQuery>) {
    const bucket = await findBucket(scope, params.appId, params.bucketId)
    requireLevel(scope, bucket, 'admin')
    return page({
      cursors,
      path: `/app/${params.appId}/bucket/${params.bucketId}/devices`,
      query,
      fetch: (request) => listDevices(scope, bucket.id, request),
      keys: deviceKeys,
      transform: (devices) => deviceEntities(scope, devices),
    })
  }

  show({ params, query, body, origin }: Call<Wire, DevicePageQuery>): Promise<OperationResponse> {
    return asPage(async () => {
      const { scope, bucket, organizationName } = await openPageLink(params.installToken)
      const baseUrl = baseOf(origin.baseUrl)
      const path = pathOf(params.installToken)
      return devicePage({
        device: deviceOf(body.headers['user-agent']),
        appName: (await appSummary(scope, bucket.appId)).name,
        organizationName,
        bucketName: bucket.name,
        isSecure: baseUrl.startsWith('https:'),
        isRegistered: query.registered ?? false,
        pageAddress: baseUrl + path,
        profilePath: `${path}/profile`,
        homePath: `/install/${params.installToken}`,
      })
    })
  }

  async profile({ params, origin }: Call): Promise<OperationResponse> {
    const { id, scope, bucket, organizationName } = await openPageLink(params.installToken)
    const bytes = writeProfile({
      address: baseOf(origin.baseUrl) + pathOf(params.installToken),
      challenge: writeChallenge(id, scope.now),
      organization: organizationName,
      app: (await appSummary(scope, bucket.appId)).name,
    })
    const headers = {
      'content-disposition': 'attachment; filename="register.mobileconfig"',
      'cache-control': 'private, no-store',
    }
    return { status: 200, raw: { bytes, contentType: 'application/x-apple-aspen-config' }, headers }
  }

  async register({ params, body, origin }: Call<Wire>): Promise<OperationResponse> {
    const { id, scope, bucket, tester } = await openPageLink(params.installToken)
    const reported = parseAnswer(await readBody(body.bytes, MAX_ANSWER_BYTES), await authorities())
    if (!isChallengeOf(id, reported.challenge, scope.now)) {
      throw refuse('link_gone', { detail: 'The profile has expired; download it again.' })
    }
    const place = { bucketId: bucket.id, userId: tester?.id ?? null }
    await unitOfWork.inTransaction(scope, (writing) => registerDevice(writing, place, reported))
    const path = pathOf(params.installToken)
    // Only with this status do devices end the registration and show the page.
    return {
      status: 301,
      headers: { location: `${baseOf(origin.baseUrl)}${path}?registered=true` },
    }
  }
}

/** @throws invalid_input if the bytes are not a valid answer of a device */
function parseAnswer(bytes: Buffer, trusted: readonly X509Certificate[]): ReportedDevice {
  try {
    return readAnswer(bytes, trusted)
  } catch (error) {
    if (error instanceof Unreadable) throw refuse('invalid_input', { detail: error.message })
    throw error
  }
}
