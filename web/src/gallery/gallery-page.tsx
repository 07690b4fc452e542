import './gallery.css';
import { Suspense, useEffect } from 'react';
import type { Language } from '@diwan/contract/wire/languages';
import { useLanguage } from '../lib/i18n/language.ts';
import { useTranslation } from '../lib/i18n/translate.ts';
import { useAllFonts } from '../lib/i18n/use-all-fonts.ts';
import { usePageTitle } from '../lib/page/head.ts';
import { Link } from '../lib/router/link.tsx';
import { useLocation, useSearchParams } from '../lib/router/router-provider.tsx';
import { actionStories } from './actions.tsx';
import { chartStories } from './charts.tsx';
import { choiceStories } from './choices.tsx';
import { dataStories } from './data.tsx';
import { editingStories } from './editing.tsx';
import examples from './examples.json';
import { feedbackStories } from './feedback.tsx';
import { fileStories } from './files.tsx';
import { formStories } from './forms.tsx';
import { adminListStories, pageHeaderStories } from './pages.tsx';
import { searchStories } from './search.tsx';
import type { Stories, Story } from './story.tsx';
import { textFieldStories } from './text-fields.tsx';
import { themeStories } from './theme.tsx';
import { valueStories } from './values.tsx';

interface Section {
  title: string;
  stories: Stories;
}

const sections: readonly Section[] = [
  { title: 'Theme', stories: themeStories },
  { title: 'Actions', stories: actionStories },
  { title: 'Text fields', stories: textFieldStories },
  { title: 'Choices', stories: choiceStories },
  { title: 'Forms', stories: formStories },
  { title: 'Editing', stories: editingStories },
  { title: 'Files', stories: fileStories },
  { title: 'Values', stories: valueStories },
  { title: 'Data', stories: dataStories },
  { title: 'Feedback', stories: feedbackStories },
  { title: 'Charts', stories: chartStories },
  { title: 'Search', stories: searchStories },
  // Components with their own h1 come last, so that no heading level is skipped after them.
  { title: 'Page headers', stories: pageHeaderStories },
  { title: 'Admin lists', stories: adminListStories },
];

/** The fragment of a section or a component: `FormDialog, FormField` is `form-dialog-form-field`. */
const fragmentOf = (name: string) =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .replace(/[^A-Za-z]+/g, '-')
    .toLowerCase();

/** The fragments of the sections, in order. */
export const sectionFragments = sections.map(({ title }) => fragmentOf(title));

const languageOrder: readonly Language[] = ['ar-EG', 'en-US', 'ur-PK'];
const phoneWidth = 390;

function StoryView({ story }: { story: Story }) {
  return (
    <section id={fragmentOf(story.name)} className="gallery-story">
      <h3 lang="en" className="text-lg">
        {story.name}
      </h3>
      <div className={story.isWide ? 'gallery-states gallery-states-wide' : 'gallery-states'}>
        {Object.entries(story.states).map(([name, element]) => (
          <figure key={name}>
            <figcaption lang="en" className="gallery-caption">
              {name}
            </figcaption>
            {element}
          </figure>
        ))}
      </div>
    </section>
  );
}

function LanguageSwitch() {
  const { t } = useTranslation('shell');
  const { language, setLanguage } = useLanguage();
  return (
    <div role="group" aria-label="Language" className="gallery-switch">
      {languageOrder.map((each) => (
        <button
          key={each}
          type="button"
          lang={each}
          aria-pressed={each === language}
          onClick={() => void setLanguage(each)}
        >
          {t(`languages.${each}`)}
        </button>
      ))}
    </div>
  );
}

function WidthSwitch({ isPhone, onChange }: { isPhone: boolean; onChange: (is: boolean) => void }) {
  return (
    <div role="group" aria-label="Width" lang="en" className="gallery-switch">
      <button type="button" aria-pressed={isPhone} onClick={() => onChange(true)}>
        <bdi dir="ltr">{phoneWidth} px</bdi>
      </button>
      <button type="button" aria-pressed={!isPhone} onClick={() => onChange(false)}>
        Full width
      </button>
    </div>
  );
}

/** Every section in the current language; a change of the language resets the components. */
function Sections({ only }: { only: string | null }) {
  const { language } = useLanguage();
  const { hash } = useLocation();
  const shown = sections.filter(({ title }) => only === null || fragmentOf(title) === only);
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  return shown.map(({ title, stories }) => (
    <section key={`${language} ${title}`} id={fragmentOf(title)} className="gallery-section">
      <h2 lang="en" className="text-xl">
        {title}
      </h2>
      {stories(examples[language]).map((story) => (
        <StoryView key={story.name} story={story} />
      ))}
    </section>
  ));
}

function SectionLinks({ only }: { only: string | null }) {
  return (
    <nav aria-label="Sections" lang="en" className="gallery-links">
      {only === null ? (
        sections.map(({ title }) => (
          <a key={title} href={`#${fragmentOf(title)}`}>
            {title}
          </a>
        ))
      ) : (
        <Link to="/gallery">All sections</Link>
      )}
    </nav>
  );
}

/**
 * Every component of `ui/` in all its states, for developers. `npm run dev` serves it at `/gallery`;
 * the production build does not contain it. `?width=390` shows it in a frame of that width, because
 * components depend on the width of the window; `?section=forms` shows one section.
 */
export function GalleryPage() {
  const { language } = useLanguage();
  const [search, setSearch] = useSearchParams();
  const isFrame = search.has('frame');
  const only = search.get('section');
  const isPhone = search.get('width') === String(phoneWidth);
  usePageTitle('Component gallery');
  // The names of the components and of the languages need the fonts of all languages.
  useAllFonts();
  return (
    <div className="gallery">
      <header>
        <h1 lang="en" className="text-lg">
          Component gallery
        </h1>
        {isFrame ? null : (
          <>
            <LanguageSwitch />
            <WidthSwitch
              isPhone={isPhone}
              onChange={(is) => setSearch(is ? { width: String(phoneWidth) } : {})}
            />
          </>
        )}
        {isPhone ? null : <SectionLinks only={only} />}
      </header>
      <main>
        {isPhone ? (
          <iframe
            key={language}
            title="Component gallery at 390 px"
            src="/gallery?frame"
            width={phoneWidth}
          />
        ) : (
          <Suspense fallback={null}>
            <Sections only={only} />
          </Suspense>
        )}
      </main>
    </div>
  );
}
