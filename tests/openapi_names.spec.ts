import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { all, document, type Schema } from './support/openapi_document.js'

/*
 * The OpenAPI document has the specification's own names: of paths, bodies, models and
 * enumerations.
 */

const ENDPOINTS = new URL('./support/specification_endpoints.tsv', import.meta.url)

/** Yields every schema object below a value, with its path; examples are no schemas. */
function* schemasBelow(value: unknown, path: string[] = []): Generator<[string[], Schema]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Schema]
  for (const [name, each] of Object.entries(value)) {
    if (name !== 'example') yield* schemasBelow(each, [...path, name])
  }
}

/** Enumerations that the document must have under their names in the specification. */
const ENUMERATIONS = [
  'AppPlatform',
  'ReleaseStatus',
  'ReleaseType',
  'CreateEditReleaseType',
  'UserAction',
  'ReleaseTimelinePhase',
  'ReleaseStepType',
  'ReleaseRegressionTestingStatus',
  'ReleaseStepStatus',
  'BucketStatus',
  'BucketType',
  'BuildDistroBuildStatus',
  'CodeStatus',
  'CodeType',
  'PullRequestStatus',
  'IntegrationType',
  'CIBuildStatus',
  'CIIntegrationId',
  'ChecklistItemStatusType',
  'AppStoreDataType',
  'RegressionTestingStatusType',
]

const REQUEST_BODIES: Record<string, string> = {
  createRelease: 'CreateReleaseRequestBody',
  updateRelease: 'BaseReleaseUpdateRequestBody',
  createGroup: 'BaseGroupCreateRequestBody',
  updateGroup: 'BaseGroupUpdateRequestBody',
  updateUserGroups: 'UserGroupsForUserPutRequestForm',
  createChecklistItem: 'CreateChecklistItemRequestBody',
  updateChecklistItem: 'UpdateChecklistItemRequestBody',
  updateChecklistItemStatus: 'UpdateChecklistItemStatusRequestBody',
  updateChecklistItemComment: 'UpdateChecklistItemCommentRequestBody',
  createApprovalItem: 'CreateApprovalOrRegressionTestingItemRequestBody',
  createRegressionItem: 'CreateApprovalOrRegressionTestingItemRequestBody',
  createRegressionItems: 'CreateRegressionItemsBatchRequestBody',
  updateRegressionItems: 'UpdateRegressionItemsBatchRequestBody',
  deleteRegressionItems: 'DeleteRegressionItemsBatchRequestBody',
  updateStepRunMetadata: 'UpdateMetadataRequestBody',
  updateReleaseRegressionStatus: 'UpdateRegressionStatusRequestBody',
  updateStepRunRegressionStatus: 'UpdateRegressionStatusRequestBody',
  updateStepRunApproval: 'UpdateReleaseStepApprovalRequestBody',
  updateStepTypeApproval: 'UpdateReleaseStepApprovalRequestBody',
}

const MODELS = [
  'CreateReleaseBaseTag',
  'UpdateRegressionItemStatusRequestItem',
  'UpdateMetadataLocalizationRequestItem',
  'UserGroupsForUserPutResponse',
  'UserGroupsForUsersSummary',
  'UserGroupsForUsersPutResponse',
  'BatchCreateChecklistItemsResponse',
  'BatchUpdateChecklistItemStatusesResponse',
  'BatchDeleteChecklistItemsResponse',
  'BatchChecklistItemIdError',
  'BatchCreateChecklistItemError',
  'ReleaseStepData',
  'StepRunData',
  'ApprovalReleaseStepData',
  'RegressionReleaseStepData',
  'FeatureReadinessReleaseStepData',
  'StoreReleaseStepData',
  'RolloutStepRunData',
  'PhasedReleaseData',
  'MonitoringStatisticEntity',
  'WebhookPayload',
  'WebhookAppPayload',
  'WebhookReleasePayload',
  'WebhookBuildDistroBuildPayload',
  'WebhookAppStoreBuildPayload',
  'WebhookCIBuildPayload',
  'WebhookReleaseStepsPayload',
  'WebhookAppStoreVersionDataPayload',
  'WebhookChecklistItemPayload',
  'WebhookFixRequestPayload',
  'WebhookFixRequestReleaseEntity',
  'WebhookFixRequestStepRunEntity',
  'WebhookFixRequestEntity',
  'WebhookFixRequestWorkItemEntity',
  'Error',
]

test.group('The names of the OpenAPI document', () => {
  test('spells the paths as the specification does', ({ assert }) => {
    const specified = readFileSync(ENDPOINTS, 'utf8')
      .split('\n')
      .map((line) => line.split('\t')[2])
    const blank = (path: string) => path.replace(/\{\w+\}/g, '{}').toLowerCase()
    const spelling = new Map(specified.filter(Boolean).map((path) => [blank(path), path]))
    for (const { path } of all) {
      const wanted = spelling.get(blank(path))
      if (wanted) assert.equal(path, wanted)
    }
  })

  test('uses the names of the specification for bodies and models', ({ assert }) => {
    for (const { operation } of all) {
      const wanted = REQUEST_BODIES[operation.operationId]
      if (!wanted) continue
      const { schema } = operation.requestBody!.content['application/json']
      assert.deepEqual(schema, { $ref: `#/components/schemas/${wanted}` })
    }
    const ids = all.map(({ operation }) => operation.operationId)
    assert.includeMembers(ids, Object.keys(REQUEST_BODIES))
    assert.includeMembers(Object.keys(document.components.schemas), MODELS)
  })

  test('lists the words of a named enumeration only under its name', ({ assert }) => {
    const { schemas } = document.components
    assert.includeMembers(Object.keys(schemas), ENUMERATIONS)
    const names = new Map(
      ENUMERATIONS.map((name) => [JSON.stringify(schemas[name].enum), name] as const)
    )
    for (const [path, schema] of schemasBelow(document)) {
      if (!Array.isArray(schema.enum)) continue
      const name = names.get(JSON.stringify(schema.enum.filter((word: unknown) => word !== null)))
      if (name) assert.deepEqual(path, ['components', 'schemas', name])
    }
  })
})
