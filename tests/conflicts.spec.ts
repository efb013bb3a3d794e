import { test } from '@japa/runner'
import ts from 'typescript'
import { allProblems } from '#foundation/core/problems/catalog'
import { Problem } from '#foundation/core/problems/problem'
import { CreateKey } from '#organizations/actions/create_key'
import { RevokeKey } from '#organizations/actions/revoke_key'
import { RotateKey } from '#organizations/actions/rotate_key'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { tidy } from '#stores/tests/support'
import { assertDeclared } from './support/contract.js'
import { CONFLICTS, CONFLICT_PLACES } from './support/conflicts.js'
import { CONFLICT_CASES } from './support/conflict_cases.js'
import { VERSION } from './support/conflict_cases/case.js'
import { readSources, walk, type Source } from './support/sources.js'
import { makeWorld } from './support/world.js'

/*
 * A 409 that stems from a status gives the status and the allowed actions. Every 409 of the whole
 * test run is checked against `support/conflicts.ts`; here each code is caused, and the status and
 * actions in its answer are right.
 */

/** Their cases need a provider: releases/tests/version_control.spec.ts and rollouts/tests. */
const CAUSED_ELSEWHERE = [
  'already_out',
  'credentials_missing',
  'goes_out_by_itself',
  'ladder_changed',
  'not_approved',
  'rollout_by_store',
  'rollout_no_predecessor',
  'rollout_not_running',
  'rollout_only_grows',
  'rollout_stopped',
]

const isTest = ({ path }: Source) => path.includes('/tests/')

/** Returns a release with a step of every kind that people decide on. */
const release = () =>
  makeTrain([VERSION], {
    steps: [{ type: 'kickoff' }, { type: 'metadata' }, { type: 'approvals' }],
  })

test.group('409', (group) => {
  group.each.teardown(tidy)

  for (const { code, what, cause, currentStatus, allowedActions } of CONFLICT_CASES) {
    test(`${code} of ${what} gives the status and the allowed actions`, async ({ assert }) => {
      const { status, body } = await cause(await release())
      assert.equal(status, 409)
      assert.deepEqual(
        [body.code, body.currentStatus, body.allowedActions],
        [code, currentStatus, allowedActions]
      )
    })
  }

  test('has a decision for every code, and a case for each that has a status', ({ assert }) => {
    const codes = [...allProblems()].flatMap(([code, [status]]) => (status === 409 ? code : []))
    assert.sameMembers(Object.keys(CONFLICTS), codes)
    const withStatus = codes.filter(
      (code) => CONFLICTS[code] === 'status' && !CAUSED_ELSEWHERE.includes(code)
    )
    const caused = new Set(CONFLICT_CASES.map(({ code }) => code))
    assert.deepEqual(
      withStatus.filter((code) => !caused.has(code)),
      []
    )
  })

  test('with the code conflict gives a status in every place that is about one', ({ assert }) => {
    const places: Record<string, ('status' | 'none')[]> = {}
    for (const { path, file } of readSources('app').filter((each) => !isTest(each))) {
      walk(file, (node) => {
        if (!ts.isCallExpression(node) || !/^refuse\(\s*'conflict'/.test(node.getText())) return
        const says = /currentStatus|\.\.\.(standing|others|stateMembers)/.test(node.getText())
        places[path] = [...(places[path] ?? []), says ? 'status' : 'none']
      })
    }
    assert.deepEqual(places, CONFLICT_PLACES)
  })

  test('without the members that its code requires is detected', ({ assert }) => {
    const result = {
      method: 'PUT',
      path: '/app/acme/release/acme:1.0.0/skip',
      status: 409,
      contentType: 'application/problem+json',
    }
    const bodyOf = (code: string, more = {}) => ({
      type: '/problems/a',
      title: 'No',
      status: 409,
      detail: 'No.',
      instance: 'urn:request:a',
      code,
      requestId: 'a',
      error: 'No.',
      errors: [],
      ...more,
    })
    const standing = { currentStatus: 'completed', allowedActions: [] }
    const reported = (code: string, more = {}) =>
      assertDeclared({ ...result, body: bodyOf(code, more) })
    assert.equal(reported('release_completed', standing), 'skipRelease')
    assert.throws(() => reported('release_completed'), /does not say/)
    assert.throws(() => reported('release_completed', { currentStatus: 'completed' }), /says one/)
    assert.throws(() => reported('name_taken', standing), /says a currentStatus/)
  })
})

test.group('A key that cannot be rotated', () => {
  for (const [status, allowedActions] of [
    ['revoked', []],
    ['expired', ['revoke']],
  ] as const) {
    test(`says that it is ${status}`, async ({ assert }) => {
      const world = await makeWorld()
      const refused = await world
        .write(async (scope) => {
          const expiresAt = status === 'expired' ? scope.now : null
          const { id } = await new CreateKey(scope).handle({ name: 'old', expiresAt })
          if (status === 'revoked') await new RevokeKey(scope).handle(id)
          return new RotateKey(scope).handle({ keyId: id })
        })
        .catch((problem: Problem) => problem)
      assert.instanceOf(refused, Problem)
      const { code, extras } = refused as Problem
      assert.deepEqual(
        [code, extras.currentStatus, extras.allowedActions],
        ['conflict', status, allowedActions]
      )
    })
  }
})
