import { test } from '@japa/runner'
import type { Exchange } from '@tarmac/plugin-kit/testing'
import { contractOfGitHub } from './support/contract.js'

/*
 * The check against GitHub's description detects what does not match it: otherwise it proves
 * nothing.
 */

const REPO = '/repos/acme/app'

const exchange = (method: string, path: string, sent?: unknown): Exchange => ({
  method,
  url: `https://api.github.com${path}`,
  headers: {},
  body: sent === undefined ? '' : JSON.stringify(sent),
  response: null,
})

const answered = (status: number, answer: unknown): Exchange => ({
  ...exchange('GET', `${REPO}/milestones`),
  response: {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  },
})

function faultsOf(given: Exchange): string[] {
  const { pathname } = new URL(given.url)
  const operation = contractOfGitHub().find(
    ({ method, path }) => method === given.method && path.test(pathname)
  )
  if (!operation) return ['no operation']
  const faults = operation.checkRequest?.(given) ?? []
  return [...faults, ...(operation.checkResponse?.(given) ?? [])]
}

const REF = { ref: 'refs/heads/a', sha: 'a'.repeat(40) }

test.group('GitHub’s description', () => {
  for (const [what, given, fault] of [
    ['an operation', exchange('GET', `${REPO}/weather`), /no operation/],
    ['a parameter', exchange('GET', `${REPO}/milestones?colour=red`), /no parameter colour/],
    ['a member', exchange('POST', `${REPO}/git/refs`, { ...REF, force: 1 }), /additional/],
    ['a missing member', exchange('POST', `${REPO}/git/refs`, { ref: REF.ref }), /'sha'/],
    ['a type', exchange('POST', `${REPO}/git/refs`, { ...REF, sha: 7 }), /string/],
    ['a status', answered(202, []), /answers 202/],
    ['a member of an answer', answered(200, [{ number: 1, colour: 'red' }]), /additional/],
    ['a query', exchange('POST', '/graphql', { query: '{ weather }' }), /weather/],
  ] as const) {
    test(`finds ${what} that GitHub does not know`, ({ assert }) => {
      assert.match(faultsOf(given).join(), fault)
    })
  }

  test('accepts what matches', ({ assert }) => {
    const fitting = [
      exchange('POST', `${REPO}/git/refs`, REF),
      exchange('GET', `${REPO}/milestones?state=all&per_page=100&page=2`),
      answered(200, [{ number: 1 }]),
    ]
    assert.deepEqual(fitting.flatMap(faultsOf), [])
  })
})
