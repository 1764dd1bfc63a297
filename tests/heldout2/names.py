"""The given names and surnames of invented people; many are ordinary words too."""

from __future__ import annotations

GIVEN_F = """
Aisling Amparo Anjali Annika Bernadette Birgit Bonnie Camille Carmela Charity Chiamaka Chloe Cordelia Daisy
Delphine Destiny Eilidh Eun-ji Esperanza Estelle Eunice Felicity Fiona Florence Francesca Genevieve Georgia
Gertrude Ginger Gloria Gwendolyn Habiba Harriet Hazel Heather Hedwig Hyacinth Imogen Ines Jacinta Jasmine
Jolene Juanita Kalliope Katarzyna Khadija Kirsten LaTonya Lorraine Lourdes Mabel Maeve Magdalena Mai Marisol
Maura Mercedes Mildred Minh-Thu Modesta Myrtle Nadezhda Naledi Nkechi Noor Olive Opal Paloma Patience Petra
Philippa Priscilla Prudence Rafaela Rosalind Roxanne Ruby Sagal Saoirse Savannah Shanice Sierra Solveig
Tamika Thandiwe Theodora Trinh Verity Violet Wanda Wilhelmina Xiomara Yesenia Yolanda Zofia Ji-woo Joan
Carol Sharon Debra Tiffany Cheryl Peggy Bridget Colleen Ruta Graciela Wilma Tabitha Ngoc-Anh Sunniva Odette
Tess Augusta Zdenka
""".split()

GIVEN_M = """
Abdirahman Ahmed Aidan Alasdair Alejandro Alonzo Amadou Anselm Archie Arturo Barnaby Bartholomew Benedict
Bogdan Bradley Brock Bryce Calvin Carmine Cedric Chance Christos Clark Clifford Cole Cornelius Cuong Curtis
Dale Darnell Deepak Demetrius Dimitri Domingo Duc Dwayne Earl Eduardo Edmund Elijah Emeka Enrique Ephraim
Errol Ezekiel Fabrizio Farid Ferdinand Forrest Francisco Garrett Gennaro Giovanni Gordon Gunnar Gustavo
Hakeem Hank Haruki Heath Hector Hiram Horace Isaiah Ivan Jabari Jamal Jedediah Jerzy Jorge Kazuo Kip Lamar
Lance László Leif Lionel Lloyd Maksim Malachi Marcel Marquis Marvin Maurice Mohammed Mordechai Nathaniel
Nikhil Norbert Obinna Octavio Olaf Orlando Oscar Otis Pascal Percival Pierce Quincy Ramón Randolph Reed
Reginald Rocco Roderick Roland Rufus Rusty Salvatore Sanjay Seamus Sergei Sherman Silas Solomon Stefan
Sterling Tadeusz Tariq Thaddeus Tomás Trent Tyrone Ulysses Vance Vernon Vikram Virgil Wade Wendell Wilbur
Xavier Yitzhak Zachary Zoltán Gary Kevin Scott Craig Todd Randy Keith Ronald Sung-min Guillermo Stig Amos
Ngozi
""".split()

SURNAMES = tuple(
    name.strip()
    for name in """
Abernathy; Abubakar; Achterberg; Aguinaldo; Alcántara; Almeida; Amundsen; Anagnostopoulos;
Arceneaux; Ashworth; Babatunde; Bagdasarian; Baines; Balasubramanian; Barclay; Batista; Bellamy;
Berkowitz; Bianchi; Bird; Blackwood; Bloom; Bongiovanni; Booth; Boudreaux; Bowles; Brandt; Breaux;
Brzezinski; Butcher; Byrd; Cabrera; Caldwell; Cannon; Carbone; Castellanos; Chandrasekaran;
Chavarria; Cho; Christodoulou; Clay; Coffey; Colón; Cordeiro; Costello; Crisostomo; Cruz; Cutler;
Czarnecki; Dasgupta; De la Fuente; Delacroix; Demir; Desrosiers; Di Pasquale; Dombrowski; Donnelly;
Dougherty; Drummond; Egan; Engstrom; Escobedo; Estrada; Fairchild; Farrow; Fennimore; Ferreira;
Fink; Fitzsimmons; Flood; Fontenot; Frost; Fukuda; Gaines; Galloway; Garibaldi; Ghebreyesus;
Goldfarb; Grimes; Guidry; Gutiérrez; Halvorsen; Hardy; Heller; Hinojosa; Hirsch; Holt; Hsu; Ibarra;
Ikeda; Jankowski; Jaramillo; Joyner; Kaplan; Katsaros; Keane; Kekoa; Kiplagat; Klein; Krause;
Kuznetsov; Lacey; Landry; Larkin; Lazarus; Le Clair; Leung; Lieberman; Lockhart; Lovell; Lucero;
Lundgren; MacAllister; Maddox; Magalhães; Mahoney; Manigault; Mbeki; McElroy; Medeiros; Mehta;
Mendes; Michaud; Moon; Mukherjee; Mulvaney; Nakagawa; Narváez; Nez; Ngo; Nightingale; Nkrumah;
Novotny; Oduya; Okonjo; Olmstead; Ortega; Ouellette; Overton; Owusu; Pacheco; Papadakis; Pelletier;
Perlmutter; Pham; Pickett; Pineda; Poole; Potter; Pratt; Quigley; Radcliffe; Ramaswamy; Reese;
Rizzo; Robicheaux; Rojas; Rosenbaum; Rossi; Roy; Rubinstein; Sadowski; Salazar; Santiago; Schaefer;
Schumacher; Shapiro; Sinclair; Skaggs; Sokolov; Sousa; Stack; St. Pierre; Stojanovic; Strickland;
Sutherland; Szabo; Tadesse; Tafoya; Tarkington; Tran; Underwood; Ustinov; Van Buren; van der Linde;
Vang; Vargas; Velázquez; Villanueva; Vogel; Volkov; Wall; Warsame; Waters; Weatherby; Whitlock;
Wickham; Wójcik; Wu; Xiong; Yamamoto; Yazzie; Yeung; Zapata; Zhou; Zielinski; Zuckerman; Lamb; Snow;
Glass; March; Baker; Wells; Kanoa; Twiggs; Bui; Okpara; Ali
""".replace("\n", " ").split(";")
)
