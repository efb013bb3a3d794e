import { BaseSchema } from '@adonisjs/lucid/schema'
import { followStores } from '#database/follow_stores'

/** Stores are polled while a version in them can change, also where its release is over. */
export default class extends BaseSchema {
  override async up() {
    this.defer((client) => followStores(client, new Date()))
  }

  /** A poll too many ends by itself. */
  override async down() {}
}
