import { test } from '@japa/runner'
import type { Exchange } from '@tarmac/plugin-kit/testing'
import { contractFaults } from './support/stage.js'

/*
 * The check against Apple's schemas detects what does not match them: otherwise it proves nothing.
 */

const API = 'https://api.appstoreconnect.apple.com'

const exchange = (
  [method, path]: readonly [string, string],
  sent: unknown,
  [status, answer]: readonly [number, unknown]
): Exchange => ({
  method,
  url: `${API}${path}`,
  headers: {},
  body: sent === null ? '' : JSON.stringify(sent),
  response: { status, headers: {}, body: answer === null ? '' : JSON.stringify(answer) },
})

const list = { data: [], links: { self: `${API}/v1/apps` } }
const version = (more: object = {}) => ({
  data: { type: 'appStoreVersions', id: '1', ...more },
  links: { self: `${API}/v1/appStoreVersions/1` },
})
const PATCH = ['PATCH', '/v1/appStoreVersions/1'] as const
const change = (attributes: object) => ({ data: { type: 'appStoreVersions', id: '1', attributes } })

const FAULTS = [
  ['a parameter', exchange(['GET', '/v1/apps?filter[what]=1'], null, [200, list])],
  ['a word', exchange(['GET', '/v1/apps?fields[apps]=price'], null, [200, list])],
  ['an operation', exchange(['GET', '/v1/weather'], null, [200, list])],
  ['an attribute', exchange(PATCH, change({ colour: 'red' }), [200, version()])],
  ['a value', exchange(PATCH, change({ releaseType: 'SOON' }), [200, version()])],
  ['a missing member', exchange(PATCH, { data: { type: 'appStoreVersions' } }, [200, version()])],
  ['a body', exchange(['GET', '/v1/apps'], { data: 1 }, [200, list])],
  ['a status', exchange(PATCH, change({}), [202, version()])],
  ['a member of an answer', exchange(PATCH, change({}), [200, version({ rank: 1 })])],
  ['an answer without links', exchange(['GET', '/v1/apps'], null, [200, { data: [] }])],
  [
    'an included resource',
    exchange(PATCH, change({}), [200, { ...version(), included: [{ type: 'cats', id: '1' }] }]),
  ],
  ['an error', exchange(['GET', '/v1/apps'], null, [409, { errors: [{ code: 'X' }] }])],
] as const

test.group('Apple’s schemas', () => {
  for (const [what, found] of FAULTS) {
    test(`find ${what} that Apple does not know`, ({ assert }) => {
      assert.isNotEmpty(contractFaults([found]))
    })
  }

  test('accept what matches, and null where Apple allows it', ({ assert }) => {
    const at = { releaseType: 'MANUAL', earliestReleaseDate: null }
    const fitting = [
      exchange(['GET', '/v1/apps?filter[bundleId]=a&limit=200&cursor=x'], null, [200, list]),
      exchange(PATCH, change(at), [200, version({ attributes: { versionString: '1.0.0' } })]),
      exchange(['DELETE', '/v1/webhooks/1'], null, [204, null]),
    ]
    assert.deepEqual(contractFaults(fitting), [])
  })
})
