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
      'A page of devices of Apple with their identifiers, newest first, to be added to the developer account and its profiles. Needs ManageBuckets, or the level admin in the bucket.',
    beyond: true,
    access: actionsOrOwner('ManageBuckets'),
    query: listDevicesValidator,
    answers: {
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
      'What a tester opens on an iPhone or iPad whose identifier is to be known; a page, also when it is done.',
    query: devicePageValidator,
    body: agent,
    answers: {
      200: htmlPage('The page.'),
      404: htmlPage('There is no such link.'),
      410: htmlPage('The link has expired or was withdrawn.'),
    },
    handle: (call) => devices.show(call),
  }),
  operation({
    ...visited,
    id: 'getDeviceProfile',
    method: 'GET',
    path: `${PAGE}/profile`,
    summary: 'Get the profile that asks a device what it is',
    description:
      'A profile of the kind Profile Service: it installs nothing, and has the device send its identifier, model and system, within an hour.',
    answers: {
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
    summary: 'Take what a device says it is',
    description:
      'What a device sends that the profile was installed on: a signed property list. A signature that is wrong is refused; the issuer of the certificate is shown to the admins of the bucket. The device follows `Location`.',
    body: {
      kind: 'wire',
      headers: {},
      example: {},
      content: {
        contentType: 'application/pkcs7-signature',
        description: 'The answer of the device.',
        maxBytes: MAX_ANSWER_BYTES,
      },
    },
    answers: {
      301: {
        description: 'The device is registered.',
        headers: { Location: 'The page that says so.' },
      },
    },
    errors: [410, 422],
    handle: (call) => devices.register(call),
  }),
]
