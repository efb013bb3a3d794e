import { BaseSchema } from '@adonisjs/lucid/schema'

/** The models of payloads by the events that have them; `release` stands for its other events. */
const MODELS: readonly [events: string, model: string][] = [
  ['release.%Reminder', 'ReleaseReminder'],
  ['release.%', 'Release'],
  ['releaseStep.%', 'ReleaseSteps'],
  ['checklistItem.%', 'ChecklistItem'],
  ['buildDistro.%', 'BuildDistroBuild'],
  ['ciBuild.%', 'CIBuild'],
  ['appStoreBuild.%', 'AppStoreBuild'],
  ['betaBuild.%', 'AppStoreBuild'],
  ['appStoreVersion.%', 'AppStoreVersionData'],
  ['fixRequest.%', 'FixRequest'],
]

/** Events that are kept say the model of their payload, as those do that come. */
export default class extends BaseSchema {
  override async up() {
    const names = MODELS.map(([events, model]) => `when type like '${events}' then '${model}'`)
    const name = `case ${names.join(' ')} end`
    // Quotes within a text are escaped: this is the member itself.
    const thin = `case when payload like '%,"truncated":true,"url":%' then 'Thin' else '' end`
    this.schema.raw(`
      update events set payload = substr(payload, 1, length(payload) - 1)
        || ',"model":"Webhook' || ${thin} || ${name} || 'Payload"}'
      where payload is not null and ${name} is not null
    `)
  }

  /** Versions before know nothing of it, and take it as it is. */
  override async down() {}
}
