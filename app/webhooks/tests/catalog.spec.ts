import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { test } from '@japa/runner'
import { eventCatalog } from '#foundation/core/events/catalog'
import { currentDocument } from '#foundation/api/openapi/current_document'
import { exampleOfEvent } from '#foundation/api/openapi/example_of'
import { eventNames } from '#webhooks/event_names'

/** Types of events by the platforms that the specification lists for them. */
const EVENTS_BY_PLATFORMS: Record<string, string[]> = {
  'All': [
    'release.kickedOff',
    'release.created',
    'release.targetDateUpdated',
    'release.pilotChanged',
    'release.kickoffReminder',
    'releaseStep.statusChanged',
    'checklistItem.statusChanged',
  ],
  'iOS, Android': [
    'release.submitted',
    'release.submitReminder',
    'release.stepsReadyToSubmit',
    'appStoreVersion.statusUpdated',
    'appStoreVersion.phasedReleaseUpdated',
    'appStoreBuild.newBuildAvailable',
    'betaBuild.newBuildAvailable',
  ],
  'iOS, OTA': ['release.released'],
  'iOS': ['release.releaseReminder', 'release.stepsReadyToRelease'],
  'unspecified': [
    'release.regressionStatusUpdated',
    'buildDistro.newBuildAvailable',
    'buildDistro.buildArtifactAvailable',
    'ciBuild.statusChanged',
    'ciBuild.appStoreBuildAssociated',
    'fixRequest.created',
    'fixRequest.approved',
    'fixRequest.rejected',
    'fixRequest.merged',
  ],
}

test.group('The event catalogue', () => {
  test('holds exactly the 26 events of the specification', ({ assert }) => {
    const declared = eventCatalog.all().map(({ type }) => type)
    assert.lengthOf(declared, 26)
    assert.sameMembers(declared, eventNames())
    assert.sameMembers(Object.values(EVENTS_BY_PLATFORMS).flat(), eventNames())
  })

  test('lists the platforms of the specification for each event', ({ assert }) => {
    for (const { type, platforms } of eventCatalog.all()) {
      assert.include(EVENTS_BY_PLATFORMS[platforms], type)
    }
  })

  test('has an example for each event that is valid by its schema in the OpenAPI document', ({
    assert,
  }) => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false })
    addFormats.default(ajv)
    ajv.addSchema(currentDocument(), 'openapi.json')
    for (const event of eventCatalog.all()) {
      const { type } = event
      const example = exampleOfEvent(event)
      const pointer = `/webhooks/${type}/post/requestBody/content/application~1json/schema`
      const validate = ajv.compile({ $ref: `openapi.json#${pointer}` })
      assert.isTrue(validate(example), `${type}: ${JSON.stringify(validate.errors)}`)
      assert.containsSubset(example as object, { type, eventType: type })
    }
  })
})
