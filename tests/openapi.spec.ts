import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { test } from '@japa/runner'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { jsonPointer } from '#foundation/core/json_pointer'
import { allProblems } from '#foundation/core/problems/catalog'
import { eventNames } from '#webhooks/event_names'
import { currentDocument } from '#foundation/api/openapi/current_document'
import { all, document, type Schema } from './support/openapi_document.js'

/*
 * Others build on the OpenAPI document: it is the committed one, passes two linters, is complete,
 * and its examples are valid.
 */

const served = currentDocument()
const text = JSON.stringify(served, null, 2)
const committed = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8')

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi.json')

/** Returns the errors of an example in the document; empty for a valid one. */
function faultsOf(place: string[], value: unknown): string[] {
  const validate = validatorAt([...place, 'schema'])
  if (validate(value)) return []
  return validate.errors!.map(
    (each) => `${place.join(' ')}: ${each.instancePath || '/'} ${each.message}`
  )
}

const validators = new Map<string, ValidateFunction>()

/** Returns a validator for a place; a model that many places refer to is compiled once. */
function validatorAt(place: string[]): ValidateFunction {
  const { $ref } = place.reduce((at, name) => at[name], document as any) as { $ref?: string }
  const pointer = $ref ?? `#${encodeURI(jsonPointer(...place))}`
  let validate = validators.get(pointer)
  if (!validate)
    validators.set(pointer, (validate = ajv.compile({ $ref: `openapi.json${pointer}` })))
  return validate
}

function resolve(schema: Schema): Schema {
  return typeof schema.$ref === 'string'
    ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)!])
    : schema
}

/** Returns the places of an input that accept values of any size. */
function unboundedPlaces(given: Schema, path: string): string[] {
  const schema = resolve(given)
  const variants: Schema[] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  const inner = variants.flatMap((each) => unboundedPlaces(each, path))
  if (schema.enum || 'const' in schema || variants.length > 0) return inner
  const types: string[] = [schema.type].flat()
  const missing = (type: string, ...keywords: string[]) =>
    types.includes(type)
      ? keywords.filter((keyword) => !(keyword in schema)).map((each) => `${path} lacks ${each}`)
      : []
  return [
    ...(types[0] === undefined ? [`${path} takes anything`] : []),
    ...missing('string', 'maxLength'),
    ...missing('integer', 'minimum', 'maximum'),
    ...missing('number', 'minimum', 'maximum'),
    ...missing('array', 'maxItems', 'items'),
    ...(schema.properties ? [] : missing('object', 'maxProperties')),
    ...(schema.items ? unboundedPlaces(schema.items, `${path}[]`) : []),
    ...(typeof schema.additionalProperties === 'object'
      ? unboundedPlaces(schema.additionalProperties, `${path}{}`)
      : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      unboundedPlaces(each as Schema, `${path}.${name}`)
    ),
  ]
}

test.group('OpenAPI document', () => {
  test('is the committed docs/openapi.json', ({ assert }) => {
    assert.deepEqual(JSON.parse(committed), JSON.parse(text))
  })

  test('has no finding of Spectral', async ({ assert }) => {
    const spectral = new spectralCore.Spectral()
    // The tests below validate examples in a tenth of the time.
    const rules = { 'oas3-valid-media-example': 'off' }
    spectral.setRuleset({ extends: [rulesets.oas], rules } as never)
    const findings = await spectral.run(JSON.parse(text))
    const lines = findings.map(({ code, path, message }) => `${code} ${path.join('/')} ${message}`)
    assert.deepEqual(lines, [])
  }).timeout(120_000)

  test('has no finding of Redocly', async ({ assert }) => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const findings = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
    const lines = findings.map(
      ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer} ${message}`
    )
    // A redirect is the success for an Apple device that identified itself.
    const redirected =
      'operation-2xx-response #/paths/~1install~1{installToken}~1device/post/responses Operation must have at least one `2XX` response.'
    assert.deepEqual(
      lines.filter((line) => line !== redirected),
      []
    )
  }).timeout(120_000)

  test('an entity that holds another one extends it', ({ assert }) => {
    const { Release, ReleaseEntity } = document.components.schemas as Record<string, any>
    assert.deepEqual(Release.allOf, [{ $ref: '#/components/schemas/ReleaseEntity' }])
    assert.include(Release.required, 'steps')
    assert.notProperty(Release.properties, 'version')
    assert.property(ReleaseEntity.properties, 'version')
  })

  test('describes what operations share once: it has less than 900 KB', ({ assert }) => {
    assert.isBelow(Buffer.byteLength(JSON.stringify(served)), 900_000)
  })

  test('gives every operation a short summary and a description', ({ assert }) => {
    const tags = document.tags.map(({ name }) => name)
    for (const { operation } of all) {
      assert.isAtMost(operation.summary.length, 60, operation.operationId)
      assert.isAbove(operation.description.length, 10, operation.operationId)
      assert.lengthOf(operation.tags, 1)
      assert.include(tags, operation.tags[0])
    }
  })

  test('shows every request, and the example is valid', ({ assert }) => {
    for (const { path, method, operation } of all) {
      for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {})) {
        assert.exists(example, `${operation.operationId} ${type}`)
        const place = ['paths', path, method, 'requestBody', 'content', type]
        assert.deepEqual(faultsOf(place, example), [])
      }
    }
  })

  test('shows every answer in JSON, and the example is valid', ({ assert }) => {
    const results = all.flatMap(({ path, method, operation }) =>
      Object.entries(operation.responses).map(([status, response]) => ({
        response,
        place: ['paths', path, method, 'responses', status],
      }))
    )
    for (const { response, place } of results) {
      for (const [type, { example }] of Object.entries(response.content ?? {})) {
        if (!/json/.test(type)) continue
        assert.isDefined(example, place.join(' '))
        assert.deepEqual(faultsOf([...place, 'content', type], example), [])
      }
    }
  })

  test('bounds every input', ({ assert }) => {
    for (const { operation } of all) {
      const errors = [
        ...operation.parameters.flatMap(({ name, schema }) => unboundedPlaces(schema, name)),
        ...Object.entries(operation.requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
          unboundedPlaces(schema, type)
        ),
      ]
      assert.deepEqual(errors, [], operation.operationId)
    }
  })

  test('declares the refusals that operations have in common', ({ assert }) => {
    const known = new Set([...allProblems().values()].map(([status]) => String(status)))
    for (const { path, method, operation } of all) {
      const statuses = Object.keys(operation.responses)
      const expected = ['406', '500', '503']
      if (!operation.security) expected.push('401', '403', '429')
      if (path.includes('{')) expected.push('404')
      if (operation.requestBody) expected.push('400', '413', '415', '422')
      if (method !== 'get' && method !== 'options') expected.push('409')
      if (operation.parameters.some(({ name }) => name === 'If-Match')) expected.push('412', '428')
      assert.includeMembers(statuses, expected, operation.operationId)
      for (const status of statuses) {
        if (Number(status) < 400) continue
        assert.isTrue(known.has(status), `${operation.operationId} ${status}`)
        // Errors of pages have a readable form, too.
        const { content } = operation.responses[status]
        assert.exists(content?.['application/problem+json'], `${operation.operationId} ${status}`)
      }
    }
  })

  test('has the events of the specification, each with a valid example', ({ assert }) => {
    assert.sameMembers(Object.keys(document.webhooks), eventNames())
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const place = ['webhooks', type, 'post', 'requestBody', 'content', 'application/json']
      const { example } = post.requestBody!.content['application/json']
      assert.deepEqual(faultsOf(place, example), [])
      assert.equal((example as { eventType: string }).eventType, type)
    }
  })

  test('gives a client whose types compile under --strict', async ({ assert }) => {
    const types = astToString(
      await openapiTypescript(structuredClone(served) as unknown as OpenAPI3)
    )
    const client = `
      import type { components, operations, paths } from './types.js'
      type Body<Id extends keyof operations> =
        operations[Id] extends { requestBody: { content: { 'application/json': infer T } } } ? T : never
      export const wanted: Body<'createRelease'> = { version: '1.4.0', releaseType: 'release' }
      // @ts-expect-error: a word that is not in the enumeration
      export const wrong: Body<'createRelease'> = { version: '1.4.0', releaseType: 'minor' }
      // @ts-expect-error: the version is required
      export const empty: Body<'createRelease'> = {}
      export function statusOf(release: components['schemas']['ReleaseEntity']): 'active' | 'upcoming' | 'completed' | 'skipped' {
        return release.status
      }
      type Detail = paths['/v2/app/{appId}/releases/{releaseId}']['get']['responses'][200]['content']['application/json']
      export const names = (release: Detail): string[] => release.steps.map((step) => step.name)
      type Run = components['schemas']['StepRunEntity']
      export const share = (run: Run) => (run.type === 'rollout' ? run.data.phased.percentage : null)
      // @ts-expect-error: only a rollout has phases
      export const phases = (run: Run) => (run.type === 'metadata' ? run.data.phased : null)
      export function given(step: Detail['steps'][number]): number {
        switch (step.type) {
          case 'approvals':
            return step.data.approvedCount
          case 'kickoff':
            return step.data.branch === null ? 0 : 1
          case 'rollout':
            return step.data.selectedBuild === null ? 0 : 1
          default:
            return step.position
        }
      }
    `
    const files = new Map([
      ['/types.ts', types],
      ['/client.ts', client],
    ])
    const options: ts.CompilerOptions = {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
    }
    const host = ts.createCompilerHost(options)
    const { getSourceFile, fileExists, readFile } = host
    host.getSourceFile = (name, ...rest) =>
      files.has(name)
        ? ts.createSourceFile(name, files.get(name)!, ts.ScriptTarget.ES2022, true)
        : getSourceFile.call(host, name, ...rest)
    host.fileExists = (name) => files.has(name) || fileExists.call(host, name)
    host.readFile = (name) => files.get(name) ?? readFile.call(host, name)
    const program = ts.createProgram([...files.keys()], options, host)
    const complaints = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    assert.deepEqual(complaints, [])
  }).timeout(120_000)
})
