import vine from '@vinejs/vine'
import { open, operation } from '#foundation/api/operation/declaration'
import { plainRule, describedAs, text } from '#foundation/api/operation/input'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { oneStep } from '#foundation/api/operation/steps'
import { ADA, exampleNewKey, ORG } from '#organizations/examples'
import { DeviceLogin, DeviceLoginKey } from './entities.js'

const logins = lazyController(
  async () => new (await import('./device_logins_controller.js')).DeviceLoginsController()
)

const shared = { method: 'POST', tag: 'Organization', beyond: true, access: open } as const
const deviceCode = 'Hb5tYw8RkD1sLf6JgUcVzoYeaPq4mT8cXw2Ld0Q7'

/** Signing in programs such as the command line. */
export const deviceOperations = [
  operation<{ client: string }>({
    ...shared,
    id: 'beginDeviceLogin',
    steps: oneStep('a person confirms it in the browser'),
    path: '/deviceLogin',
    summary: 'Start signing a program in',
    description:
      'Starts the device flow of RFC 8628: a person confirms `userCode` in the browser within 10 minutes while the program polls `finishDeviceLogin`.',
    body: {
      kind: 'json',
      name: 'DeviceLoginBegin',
      description: 'The program to sign in.',
      validator: vine.create({
        client: text(100)
          .use(plainRule())
          .use(
            describedAs(
              'Program and machine, in plain characters, shown to the person who confirms.'
            )
          ),
      }),
      example: { client: 'tarmac on build-7' },
    },
    responses: {
      200: {
        description: 'The codes.',
        schema: DeviceLogin,
        example: {
          deviceCode,
          userCode: 'BDFG-HJKL',
          verificationUri: 'https://tarmac.acme.example/dashboard/device',
          verificationUriComplete: 'https://tarmac.acme.example/dashboard/device?code=BDFG-HJKL',
          expiresIn: 600,
          interval: 2,
        },
      },
    },
    errors: [429],
    handle: (call) => logins.begin(call),
  }),
  operation<{ deviceCode: string }>({
    ...shared,
    id: 'finishDeviceLogin',
    steps: oneStep('gives what a person confirmed'),
    path: '/deviceLogin/key',
    summary: 'Get the key of a program',
    description:
      'Returns a personal key valid for 30 days, once, after a person has confirmed the sign-in. Until then, 400 with the codes of RFC 8628: `authorization_pending`, `slow_down`, `access_denied`, `expired_token`.',
    body: {
      kind: 'json',
      name: 'DeviceLoginFinish',
      description: 'The device code.',
      validator: vine.create({
        deviceCode: text(100).use(describedAs('Device code from `beginDeviceLogin`.')),
      }),
      example: { deviceCode },
    },
    responses: {
      200: {
        description: 'The key, shown only once.',
        schema: DeviceLoginKey,
        example: {
          key: exampleNewKey.key,
          expiresAt: '2026-12-20T13:20:00.000Z',
          organization: ORG,
          person: ADA,
        },
      },
    },
    handle: (call) => logins.finish(call),
  }),
]
