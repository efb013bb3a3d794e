import vine from '@vinejs/vine'
import { describedAs, text } from '#foundation/api/operation/input'
import { admin, operation } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { EndedSignIns, SignInLinkEntity, SignInsEntity } from './entities.js'

const signIns = lazyController(
  async () => new (await import('./sign_ins_controller.js')).SignInsController()
)

const person = '/org/{orgId}/user/{userId}'
const shared = { tag: 'Organization', surface: 'pages', access: admin } as const

/** Lets admins of an organization bring people in, and see where they are signed in. */
export const operations = [
  operation({
    ...shared,
    id: 'createSignInLink',
    method: 'POST',
    path: `${person}/signInLink`,
    summary: 'Create a sign-in link for a person',
    description:
      'Creates a link that signs the person in once, within 24 hours. With it, they set the password of an account that belongs to this organization alone; any other account must sign in first.',
    responses: {
      200: {
        description: 'The link, shown only once.',
        schema: SignInLinkEntity,
        example: {
          url: 'https://tarmac.acme.example/sign-in/link/q8sZc3VbM2wXy7TtZrVzoYeaPq4mT8cXw2LdRk6N',
          expiresAt: '2026-11-20T13:20:00.000Z',
        },
      },
    },
    handle: (call) => signIns.invite(call),
  }),
  operation({
    ...shared,
    id: 'listSignIns',
    method: 'GET',
    path: `${person}/signIn`,
    summary: 'List where a person is signed in',
    description:
      'Returns the active sessions of the person, last used first. `belongsElsewhere` is true for an account that also belongs to another organization; only its owner sees its sessions.',
    responses: {
      200: {
        description: 'The sessions.',
        schema: SignInsEntity,
        example: {
          belongsElsewhere: false,
          signIns: [
            {
              id: 'sgn_4fJq0VbM2wXy7TtZr9Kd',
              client: 'Firefox on Linux',
              createdAt: '2026-11-18T07:50:00.000Z',
              seenAt: '2026-11-19T13:10:00.000Z',
              expiresAt: '2026-11-20T01:10:00.000Z',
            },
          ],
        },
      },
    },
    handle: (call) => signIns.index(call),
  }),
  operation({
    ...shared,
    id: 'endSignIn',
    method: 'POST',
    path: `${person}/signIn/end`,
    summary: 'Sign a person out',
    description:
      'Ends one session of a person, or all of them and the keys that act as them. 409 `conflict` for an account that also belongs to another organization: deactivate the person instead, which removes all their rights here.',
    body: {
      kind: 'json',
      name: 'SignInEnd',
      description: 'The session; all of them if absent.',
      validator: vine.create({
        signInId: text(100)
          .use(describedAs('Id of the session; null or absent for all.'))
          .nullable()
          .optional(),
      }),
      example: { signInId: null },
      optional: true,
    },
    responses: {
      200: {
        description: 'The number of ended sessions.',
        schema: EndedSignIns,
        example: { ended: 1 },
      },
    },
    handle: (call) => signIns.end(call),
  }),
]
