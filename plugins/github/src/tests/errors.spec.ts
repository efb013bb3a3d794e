import { test } from '@japa/runner'
import { describeError } from '../errors.js'

const PERMISSIONS = 'x-accepted-github-permissions'
const asks = (value: string) => ({ [PERMISSIONS]: value })

/** GitHub's refusals: status, message, headers, code of the error, and advice to the team. */
const REFUSALS = [
  [401, 'Bad credentials', {}, 'unauthorized', /rotates the connection/],
  [
    401,
    "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    {},
    'unauthorized',
    /sets the clock/,
  ],
  [
    401,
    "'Expiration time' claim ('exp') is too far in the future",
    {},
    'unauthorized',
    /sets the clock/,
  ],
  [401, 'A JSON web token could not be decoded', {}, 'unauthorized', /makes a new key/],
  [404, 'Integration not found', {}, 'unauthorized', /connects an App/],
  [403, 'This installation has been suspended', {}, 'forbidden', /lifts the suspension/],
  [403, 'Resource not accessible by integration', {}, 'forbidden', /how-to\/connect\/github\.md/],
  [
    403,
    'Resource not accessible by personal access token',
    asks('contents=write'),
    'forbidden',
    /adds it/,
  ],
  [
    404,
    'refusing to allow a GitHub App to create or update workflow `.github/workflows/a.yml` without `workflows` permission',
    {},
    'forbidden',
    /adds the permission/,
  ],
  [
    403,
    'Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.',
    {},
    'forbidden',
    /Configure SSO/,
  ],
  [403, 'Repository was archived so is read-only.', {}, 'forbidden', /un-archives/],
  [451, 'Repository access blocked', {}, 'forbidden', /support of GitHub/],
  [422, 'Repository rule violations found', {}, 'preconditionFailed', /bypass/],
  [
    405,
    'At least 1 approving review is required by reviewers with write access.',
    {},
    'preconditionFailed',
    /approves/,
  ],
  [405, 'Required status check "build" is expected.', {}, 'preconditionFailed', /check/],
  [405, 'Pull Request is not mergeable', {}, 'conflict', /resolves/],
  [409, 'Head branch was modified. Review and try the merge again.', {}, 'conflict', /new commits/],
  [422, "Workflow does not have 'workflow_dispatch' trigger", {}, 'invalid', /default branch/],
  [422, 'Unexpected inputs provided: ["flavor"]', {}, 'invalid', /leaves the argument out/],
  [410, 'Issues has been disabled in this repository.', {}, 'unsupported', /enables/],
  [301, 'Moved Permanently', {}, 'notFound', /new name/],
] as const

test.group('Errors of GitHub', () => {
  for (const [status, message, headers, code, action] of REFUSALS) {
    test(`${status} ${message.slice(0, 60)}`, ({ assert }) => {
      const reported = describeError(status, { message }, new Headers(headers))
      assert.equal(reported?.code, code)
      assert.match(reported?.action ?? '', action)
      assert.notEqual(reported?.reason, message)
      assert.match(`${reported?.reason} ${reported?.action}`, /^[A-Z].*\. [A-Z].*\.$/)
    })
  }

  test('the first refusal names the permission that GitHub asks for', ({ assert }) => {
    const body = { message: 'Resource not accessible by integration' }
    const reasonOf = (value: string) => describeError(403, body, new Headers(asks(value)))?.reason
    assert.include(reasonOf('contents=write'), 'Contents: read and write.')
    assert.include(
      reasonOf('pull_requests=read,statuses=write; contents=write'),
      'Pull requests: read-only, Commit statuses: read and write.'
    )
    assert.include(reasonOf('repository_hooks=write'), 'Webhooks: read and write.')
    assert.equal(reasonOf(''), 'The credentials lack a permission for this.')
  })

  test('a refusal of GraphQL, which comes with 200, has the same advice', ({ assert }) => {
    const read = (type: string, message: string) =>
      describeError(200, { data: null, errors: [{ type, message }] }, new Headers())
    const refused = read('FORBIDDEN', 'Resource not accessible by personal access token')
    assert.equal(refused?.code, 'forbidden')
    assert.match(refused?.action ?? '', /how-to\/connect\/github\.md/)
    const missing = 'Could not resolve to a PullRequest with the number of 7.'
    assert.deepEqual(read('NOT_FOUND', missing), { code: 'notFound', reason: missing })
    assert.deepEqual(read('FORBIDDEN', 'No'), { code: 'forbidden', reason: 'No' })
  })

  test('other errors are read by their status, with GitHub’s own text', ({ assert }) => {
    const none = new Headers()
    assert.isUndefined(describeError(404, { message: 'Not Found' }, none))
    assert.isUndefined(describeError(500, null, none))
    assert.deepEqual(describeError(422, { message: 'Reference already exists' }, none), {
      code: 'invalid',
      reason: 'Reference already exists',
    })
  })
})
