import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * No two items of an app share a position on steps of one type. They did where items of several
 * kinds, or of one step and of a type of steps, came to one step; the order stays as it was.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.raw(`
      with typed as (
        select c.id, c.position,
          c.app_id || ' ' || coalesce(c.release_id, '') || ' ' || coalesce(c.step_type, s.type, '')
            as list,
          c.created_at
        from checklist_items c left join step_configs s on s.id = c.step_config_id
        where c.deleted_at is null
      ), ordered as (
        select t.*, row_number() over (partition by list order by position, created_at, id) as place
        from typed t
      ), placed as (
        select id, cast(
          place + max(position - place) over (partition by list order by place) as integer
        ) as position
        from ordered
      )
      update checklist_items
      set position = (select p.position from placed p where p.id = checklist_items.id)
      where id in (
        select p.id from placed p join checklist_items c on c.id = p.id where p.position <> c.position
      )
    `)
  }

  override async down() {}
}
