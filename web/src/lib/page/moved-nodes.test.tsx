import { useState, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ServiceSearchBox } from '#features/services/service-search-box.tsx';
import { serviceSummaries } from '#testing/admin-records.ts';
import { answerCall } from '#testing/answer-calls.ts';
import { renderComponent, renderPage, signInAs, useLanguageOfTest } from '#testing/render-page.tsx';
import { translatePage } from '#testing/translate-page.ts';
import { Stepper } from '#ui/data/stepper.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { serviceSearch } from '@diwan/contract/catalogue/services';
import { findAnything } from '@diwan/contract/requests/request-lists';
import { languages } from '@diwan/contract/wire/languages';
import { tolerateMovedNodes } from './moved-nodes.ts';

function translate(): void {
  onTestFinished(translatePage());
}

describe.each(languages)('under a page translator (%s)', (language) => {
  beforeEach(() => useLanguageOfTest(language));

  it('the search of services follows the typed text', async () => {
    answerCall(serviceSearch, () =>
      serviceSummaries(3).map((each, at) => ({ ...each, name: `Renew licence ${at}` })),
    );
    await renderComponent(<ServiceSearchBox onSearch={() => undefined} />);
    translate();
    const options = page.getByRole('option');
    for (const text of ['re', 'ren', 'lic', 'xyz']) {
      await page.getByRole('combobox').fill(text);
      await expect.poll(() => options.elements().length).toBe(3);
      await expect
        .poll(() => options.first().element().textContent?.replace(/[«»]/g, ''))
        .toContain('Renew licence 0');
    }
  });

  it('a select shows each choice, without what it showed before', async () => {
    function Choice() {
      const [value, setValue] = useState('');
      const choices = [
        { value: 'a', label: 'Dubai' },
        { value: 'b', label: 'Sharjah' },
      ];
      return <SelectField label="Emirate" value={value} onChange={setValue} choices={choices} />;
    }
    await renderComponent(<Choice />);
    translate();
    const button = page.getByRole('button');
    for (const name of ['Dubai', 'Sharjah', 'Dubai']) {
      await button.click();
      await page.getByRole('option', { name: new RegExp(name) }).click();
      await expect
        .poll(() => button.element().querySelector('span')?.textContent)
        .toBe(`«${name}»`);
    }
  });

  it('Ctrl-K shows results where it showed the search', async () => {
    const nothing = {
      requests: [],
      documents: [],
      payments: [],
      services: [],
      people: [],
      companies: [],
      partners: [],
    };
    answerCall(findAnything, { ...nothing, unfinished: [] });
    signInAs('Admin');
    await renderPage('/not-found');
    translate();
    await expect.element(page.getByRole('button', { expanded: false }).first()).toBeVisible();
    await userEvent.keyboard('{Control>}k{/Control}');
    const input = page.getByRole('dialog').getByRole('combobox');
    const status = () =>
      page.getByRole('dialog').element().querySelector('[role=status]')?.textContent ?? '';
    await input.fill('q');
    await expect.poll(status).toMatch(/^«[^«»]+»$/);
    const short = status();
    await input.fill('qqqq');
    await expect.poll(status).not.toBe(short);
    await expect.poll(status).toMatch(/^«[^«»]+»$/);
    await input.fill('');
    await expect.poll(status).toBe('');
  });

  it('a status and a step show what they are now', async () => {
    const steps = ['One', 'Two'].map((title) => ({ name: title, title, isDone: false }));
    const content = (at: string, tone: 'waiting' | 'done') => (
      <>
        <StatusTag tone={tone}>{tone}</StatusTag>
        <Stepper steps={steps} current={at} label="Steps" />
      </>
    );
    function Both() {
      const [isDone, setIsDone] = useState(false);
      return (
        <>
          {content(isDone ? 'Two' : 'One', isDone ? 'done' : 'waiting')}
          <button type="button" onClick={() => setIsDone(true)}>
            Continue
          </button>
        </>
      );
    }
    await renderComponent(<Both />);
    translate();
    const text = () => document.body.textContent ?? '';
    const before = document.querySelector('nav p')?.textContent;
    await expect.poll(text).toContain('«waiting»');
    await page.getByRole('button', { name: /Continue/ }).click();
    await expect.poll(text).toContain('«done»');
    expect(text()).not.toContain('«waiting»');
    expect(document.querySelector('nav p')?.textContent).not.toBe(before);
  });
});

describe('tolerateMovedNodes', () => {
  const { removeChild, insertBefore } = Node.prototype;
  afterEach(() => {
    Object.assign(Node.prototype, { removeChild, insertBefore });
  });

  function Loose({ first, last }: { first: ReactNode; last: ReactNode }) {
    const [isOn, setIsOn] = useState(false);
    return (
      <button type="button" onClick={() => setIsOn(!isOn)}>
        {isOn ? first : null}
        {isOn ? null : last}
        Always
      </button>
    );
  }

  it('keeps the page where a text that React removes, or inserts before, is elsewhere', async () => {
    tolerateMovedNodes();
    await renderComponent(<Loose first={<b>First</b>} last="Last" />);
    translate();
    const button = page.getByRole('button');
    await button.click();
    await expect.poll(() => button.element().textContent).toContain('«First»');
    await button.click();
    await expect.poll(() => button.element().textContent).not.toContain('«First»');
    expect(button.element().textContent).toContain('«Always»');
  });

  it('removes and inserts all other nodes as before', () => {
    tolerateMovedNodes();
    const [parent, one, two] = ['p', 'b', 'i'].map((name) => document.createElement(name));
    parent!.append(one!);
    expect(parent!.insertBefore(two!, one!)).toBe(two);
    expect(parent!.innerHTML).toBe('<i></i><b></b>');
    expect(parent!.removeChild(two!)).toBe(two);
    expect(parent!.innerHTML).toBe('<b></b>');
  });
});
