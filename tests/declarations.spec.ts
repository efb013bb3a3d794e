import { readFileSync } from 'node:fs'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { works } from '#foundation/jobs/handlers'
import { eventCatalog } from '#foundation/core/events/catalog'
import { isWrite, type AnyOperation } from '#foundation/api/operation/declaration'
import { routePattern } from '#foundation/api/operation/route_pattern'
import { currentDocument } from '#foundation/api/openapi/current_document'
import { parameters } from '#foundation/api/operation/parameters'
import { tags } from '#foundation/api/operation/tags'
import { operations } from '#foundation/api/operation/registry'
import { allProblems } from '#foundation/core/problems/catalog'
import { userActions } from '#organizations/vocabulary'
import { calledOperations } from '#tests/support/contract'
import { ofPages } from '#tests/support/page_operations'
import { readSources } from './support/sources.js'
import { isWholeRun, takeOver } from './support/whole_run.js'
import { requireDeclaredEvents, recordedEvents } from '#tests/support/recorded_events'

/*
 * Operations are declared once: routes, document and tests have the same set. This file runs after
 * the modules' own tests.
 */

const all = operations.all()
const ofApi = operations.ofApi()

test.group('declared operations', () => {
  test('are exactly the routes of the router, each also under /v1', ({ assert }) => {
    // Only tests have routes to the operations of pages.
    const ofTests = new Set(ofPages.flatMap(({ id }) => [id, `v1.${id}`]))
    const routed = Object.values(router.toJSON())
      .flat()
      // `pageRoute` names the routes of pages like this.
      .filter(({ name }) => !name?.startsWith('page ') && !ofTests.has(name ?? ''))
      .flatMap(({ methods, pattern }) =>
        methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${pattern}`)
      )
    const declared = ofApi.flatMap(({ method, path, aliases }) =>
      [path, ...(aliases ?? [])]
        .map(routePattern)
        .flatMap((each) => [`${method} ${each}`, `${method} /v1${each}`])
    )
    assert.sameMembers(routed, declared)
  })

  test('are exactly the operations of the document', ({ assert }) => {
    const paths = currentDocument().paths as Record<string, Record<string, { operationId: string }>>
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method, path])
    )
    assert.sameDeepMembers(
      documented,
      ofApi.map(({ id, method, path }) => [id, method.toLowerCase(), path])
    )
  })

  test('are the specification’s unless they say that they are beyond it', ({ assert }) => {
    const [, ...lines] = readFileSync(
      new URL('./support/specification_endpoints.tsv', import.meta.url),
      'utf8'
    )
      .trim()
      .split('\n')
    const specified = new Set(lines.map((line) => line.split('\t').slice(1, 3).join(' ')))
    for (const { id, method, path, beyond } of ofApi) {
      const isSpecified = specified.has(`${method} ${path}`)
      assert.equal(isSpecified, !beyond, `${id}: ${method} ${path}`)
    }
  })

  test('have a short summary, a description and described parameters', ({ assert }) => {
    for (const { id, summary, description, path, responses, tag } of all) {
      assert.isAtMost(summary.length, 60, id)
      assert.isNotEmpty(description, id)
      assert.isNotEmpty(Object.keys(responses), id)
      assert.doesNotThrow(() => parameters.in(path), id)
      assert.isTrue(tags.has(tag), `${id}: ${tag}`)
    }
    assert.lengthOf(new Set(all.map(({ summary }) => summary)), all.length)
  })

  test('name user actions, events, problems and preconditions that exist', ({ assert }) => {
    const statuses = new Set<number>([...allProblems().values()].map(([status]) => status))
    const ids = new Set(all.map(({ id }) => id))
    for (const { id, access, events, errors, precondition } of all) {
      if (access.kind === 'actions') assert.includeMembers([...userActions], [...access.anyOf], id)
      for (const event of events ?? []) assert.isTrue(eventCatalog.has(event), `${id}: ${event}`)
      for (const status of errors ?? []) assert.isTrue(statuses.has(status), `${id}: ${status}`)
      if (precondition) assert.isTrue(ids.has(precondition.of), id)
    }
  })

  test('take uploads only in writes with a key: a failed write removes the stored file', ({
    assert,
  }) => {
    for (const operation of all) {
      const body = operation.body as AnyOperation['body'] | undefined
      if (body?.kind !== 'upload') continue
      assert.isTrue(isWrite(operation) && operation.access.kind !== 'open', operation.id)
    }
  })

  if (isWholeRun) {
    takeOver()

    test('have each answered some test with success', ({ assert }) => {
      const missing = all.map(({ id }) => id).filter((id) => !calledOperations.has(id))
      assert.deepEqual(missing, [])
    })

    test('have each recorded the events they declare, and no other', ({ assert }) => {
      requireDeclaredEvents()
      const missing = all.flatMap(({ id, events }) =>
        (events ?? [])
          .filter((event) => !recordedEvents.get(id)?.has(event))
          .map((event) => `${id} ${event}`)
      )
      assert.deepEqual(missing, [])
    })
  }
})

test.group('declared work', () => {
  test('each kind of the job queue is carried out by somebody whom a manifest names', ({
    assert,
  }) => {
    const kinds = readSources('app')
      .filter(({ path }) => !path.includes('/tests/'))
      .flatMap(({ text }) => [...text.matchAll(/\b(timer|command|observation)Kind\(\s*'([^']+)'/g)])
      .map(([, nature, name]) => `${nature} ${name}`)
    assert.includeMembers(kinds, ['timer release.nextEvaluation', 'command app.icon'])
    const handled = works
      .all()
      .filter(({ nature }) => nature !== 'chore')
      .map(({ nature, name }) => `${nature} ${name}`)
    assert.sameMembers(handled, kinds)
  })
})
