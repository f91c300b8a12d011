// A person types the code of a device into the page, and answers. Usage: device.mjs ADDRESS CODE LOGIN allow|deny.
import { end, signedIn } from "./browser.mjs";

const [address, code, login, answer] = process.argv.slice(2);
const page = await signedIn(login);
await page.goto(address);
await page.fill("#user_code", code);
await page.click("main button");
await page.click(`[value=${answer}]`);
await page.waitForLoadState();
await end();
