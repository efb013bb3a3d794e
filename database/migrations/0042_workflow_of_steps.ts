import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * What the workflow calls a step of a release, which its own name may not be any more, and
 * whether the workflow still has it: by these a step is known again when it is put back.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('release_steps', (table) => {
      table.string('workflow_name', 100).notNullable().defaultTo('')
      table.string('workflow_destination', 100)
      table.boolean('in_workflow').notNullable().defaultTo(true)
    })
    this.schema.raw(`
      update release_steps set
        workflow_name = coalesce(
          (select c.name from step_configs c where c.id = release_steps.step_config_id), name
        ),
        workflow_destination = (
          select d.name from destinations d where d.id = coalesce(
            (select c.destination_id from step_configs c where c.id = release_steps.step_config_id),
            release_steps.destination_id
          )
        ),
        in_workflow = exists (
          select 1 from step_configs c where c.id = release_steps.step_config_id
        )
    `)
  }

  override async down() {
    this.schema.alterTable('release_steps', (table) => {
      table.dropColumns('workflow_name', 'workflow_destination', 'in_workflow')
    })
  }
}
