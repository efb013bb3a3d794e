import { test } from '@japa/runner'
import { inputOf, type PlainRequest } from '#foundation/api/execution/input_of'
import { operations } from '#foundation/api/operation/registry'
import { Problem } from '#foundation/core/problems/problem'
import { makeWorld } from '#tests/support/world'

/** Returns the problem of plain values as the input of an operation; null if they are valid. */
async function problemOf(operationId: string, given: PlainRequest) {
  try {
    await inputOf(operations.get(operationId), given)
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { code: error.code, detail: error.message, errors: error.extras.errors }
  }
}

test.group('Input as plain values', () => {
  test('gets the problems of the same request over HTTP', async ({ assert }) => {
    const { admin, organizationId } = await makeWorld()
    const path = `/org/${organizationId}/webhookEndpoint`
    for (const body of [
      {},
      [],
      { url: 7, events: ['release.kickedOf'] },
      { url: 'https://hooks.example.com/', description: 'a\0b' },
    ]) {
      const response = await admin.post(path, body as object)
      const { code, detail, errors } = response.body
      assert.equal(response.status, 422)
      assert.deepEqual(await problemOf('createWebhookEndpoint', { body }), { code, detail, errors })
    }
    const { code, detail, errors } = (await admin.get(`${path}/x/delivery?limit=many`)).body
    const query = { limit: 'many' }
    assert.deepEqual(await problemOf('listWebhookDeliveries', { query }), { code, detail, errors })
  })

  test('is validated without changing the given values', async ({ assert }) => {
    const given = { body: { url: 'https://hooks.example.com/', unknown: 1 } }
    const input = await inputOf(operations.get('createWebhookEndpoint'), given)
    assert.deepEqual(input.body, { url: 'https://hooks.example.com/' })
    assert.deepEqual(given.body, { url: 'https://hooks.example.com/', unknown: 1 })
  })

  test('has the same fingerprint only if it is the same', async ({ assert }) => {
    const of = async (given: PlainRequest) =>
      (await inputOf(operations.get('updateWebhookEndpoint'), given)).fingerprint()
    const given = { params: { endpointId: 'whe_1' }, body: { enabled: true } }
    assert.equal(await of(given), await of({ ...given }))
    assert.notEqual(await of(given), await of({ ...given, body: { enabled: false } }))
    assert.notEqual(await of(given), await of({ ...given, params: { endpointId: 'whe_2' } }))
  })

  test('is read from the bytes of a file', async ({ assert }) => {
    const operation = 'createAppFromConfiguration'
    const bytes = Buffer.from('name: [')
    const problem = await problemOf(operation, {
      body: { bytes, contentType: 'application/yaml' },
    })
    assert.equal(problem?.code, 'malformed_yaml')
  })
})
