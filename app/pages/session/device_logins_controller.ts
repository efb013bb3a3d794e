import { NO_STORE, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { addresses } from '../addresses.js'
import { beginDeviceLogin, finishDeviceLogin } from './actions/device_login.js'

export class DeviceLoginsController {
  async begin({ body, origin }: Call<{ client: string }>) {
    const begun = await beginDeviceLogin(body.client, origin.address ?? '')
    const verificationUri = origin.baseUrl + addresses.device
    const verificationUriComplete = `${verificationUri}?code=${begun.userCode}`
    return ok({ ...begun, verificationUri, verificationUriComplete }, NO_STORE)
  }

  async finish({ body }: Call<{ deviceCode: string }>) {
    return ok(await finishDeviceLogin(body.deviceCode), NO_STORE)
  }
}
