import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { SetNotification } from '../actions/set_notification.js'
import type { SetNotificationInput } from '../notification_input.js'
import { notificationEntities, notificationEntity } from '../queries/notification_entities.js'

export class NotificationsController {
  async list({ scope, params: { appId } }: Call) {
    return ok(await notificationEntities(scope, appId))
  }

  async set({ scope, params: { appId }, body }: Call<SetNotificationInput>) {
    await new SetNotification(scope).handle(appId, body)
    return async () => ok(await notificationEntity(scope, appId, body.type))
  }

  async check({ scope, body }: Call<PartiallyValid<SetNotificationInput>>, errors: InputErrors) {
    new SetNotification(scope).check(body, errors)
  }
}
