import { actionsOrOwner, open, operation, type Wire } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { pageOf } from '#foundation/core/schemas'
import { agent, htmlPage } from '../install_pages/declarations.js'
import { TesterDeviceEntity } from './entities.js'
import { exampleDevice } from './examples.js'
import {
  devicePageValidator,
  listDevicesValidator,
  MAX_ANSWER_BYTES,
  type DevicePageQuery,
} from './validators.js'
import { oneStep } from '#foundation/api/operation/steps'

const devices = lazyController(
  async () => new (await import('./controller.js')).DevicesController()
)
const visited = { tag: 'Install links', beyond: true, access: open } as const
const PAGE = '/install/{installToken}/device'

export const operations = [
  operation({
    id: 'listTesterDevices',
    method: 'GET',
    path: '/app/{appId}/bucket/{bucketId}/devices',
    tag: 'Install links',
    summary: 'List the devices that testers registered',
    description:
      'Returns a page of Apple devices with their identifiers, newest first, to add to the developer account and its profiles. Requires ManageBuckets or the admin level in the bucket.',
    beyond: true,
    access: actionsOrOwner('ManageBuckets'),
    query: listDevicesValidator,
    responses: {
      200: {
        description: 'A page of devices.',
        schema: pageOf(TesterDeviceEntity),
        example: {
          data: [exampleDevice],
          pagination: { limit: 50, hasMore: false, nextCursor: null },
        },
      },
    },
    handle: (call) => devices.index(call),
  }),
  operation<Wire, DevicePageQuery>({
    ...visited,
    id: 'getDevicePage',
    method: 'GET',
    path: PAGE,
    summary: 'Get the page to register a device',
    description:
      'Returns the page that a tester opens on an iPhone or iPad to register its identifier, and again when that is done.',
    query: devicePageValidator,
    body: agent,
    responses: {
      200: htmlPage('The page.'),
      404: htmlPage('The link does not exist.'),
      410: htmlPage('The link has expired or was revoked.'),
    },
    handle: (call) => devices.show(call),
  }),
  operation({
    ...visited,
    id: 'getDeviceProfile',
    method: 'GET',
    path: `${PAGE}/profile`,
    summary: 'Get the profile that identifies a device',
    description:
      'Returns a Profile Service profile. It installs nothing, but makes the device send its identifier, model and OS build, within an hour.',
    responses: {
      200: {
        description: 'The profile.',
        contentType: 'application/x-apple-aspen-config',
        example: '<plist version="1.0"><dict><key>PayloadType</key>…</dict></plist>',
      },
    },
    errors: [410],
    handle: (call) => devices.profile(call),
  }),
  operation<Wire>({
    ...visited,
    id: 'registerTesterDevice',
    steps: oneStep('a device says what it is'),
    method: 'POST',
    path: PAGE,
    summary: 'Register a device',
    description:
      'Receives the signed property list from a device that installed the profile. An invalid signature is refused; admins of the bucket see the issuer of the certificate. The device follows `Location`.',
    body: {
      kind: 'wire',
      headers: {},
      example: {},
      content: {
        contentType: 'application/pkcs7-signature',
        description: 'The response of the device.',
        maxBytes: MAX_ANSWER_BYTES,
      },
    },
    responses: {
      301: {
        description: 'The device is registered.',
        headers: { Location: 'The page that confirms it.' },
      },
    },
    errors: [410, 422],
    handle: (call) => devices.register(call),
  }),
]
